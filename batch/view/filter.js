// Shows only the pages that are asked for. Without this script all are shown.
'use strict';
const form = document.querySelector('form.filter');
if (form) {
  const word = form.querySelector('input[type=search]');
  const kinds = [...form.querySelectorAll('input[type=checkbox]')];
  const rows = [...document.querySelectorAll('[data-kind]')].map((e) => [e, e.textContent.toLowerCase()]);
  const show = () => {
    const words = word.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = new Set(kinds.filter((k) => k.checked).map((k) => k.value));
    let n = 0;
    for (const [e, text] of rows) {
      e.hidden = !(kinds.length === 0 || wanted.has(e.dataset.kind)) || !words.every((w) => text.includes(w));
      n += !e.hidden;
    }
    form.querySelector('output').textContent = n === rows.length ? '' : n + ' of ' + rows.length;
  };
  form.hidden = false;
  form.addEventListener('input', show);
  form.addEventListener('submit', (e) => e.preventDefault());
  show();
}
