// What adit-core.wasm exports, in numbers. Made by scripts/make-abi from edge/abi.h: do not edit.

// What an action asks of the host.
export const ACTION = {
  ANSWER: 0, // send the answer; keep the remember value, if there is a key for it
  PASS: 1, // let the request go on with its edits; then adit_response, unless done
  FETCH: 2, // ask the origin for the page; then adit_fetched or adit_fetch_failed
  BODY: 3, // give the next chunk with adit_fetched_body, or the end
  RECALL: 4, // look up the recall key; then adit_recalled
  WAIT: 5, // until adit_ready names the exchange; then adit_resume
};

// What adit_get gives.
export const GET = {
  error: 0, // why adit_configure refused (of no exchange: x is 0)
  answerHeaders: 1, // fields of the answer
  answerBody: 2, // bytes of the answer
  fetchAuthority: 3, // host to ask
  fetchPath: 4, // path and query to ask for
  fetchHeaders: 5, // fields to ask with: all of them
  recallKey: 6, // key to look up in the validator memory
  rememberKey: 7, // key to keep the remember value under; empty: keep none
  rememberValue: 8, // bytes to keep
  requestEdits: 9, // edits of the request's fields
  responseEdits: 10, // edits of the response's fields
  injected: 11, // what takes the place of the last chunk of adit_body
  route: 12, // what the request was taken for, for logs
  reason: 13, // why it failed, for logs
  metrics: 14, // counters, as lines of name and value (of no exchange: x is 0)
};

// The sign before the name of an edit's field.
export const EDIT = {
  SET: "=", // replaces all fields of that name
  ADD: "+", // adds one more
  REMOVE: "-", // removes all of that name
  PATH: ":", // the value is the request's path
};

// What adit_response says of the body.
export const RESPONSE = {
  PLAIN: 0, // it passes as it is
  STREAM: 1, // it goes through adit_body
  WHOLE: 2, // the same, and it is announced as 64 KB or less: better taken whole
};

// Why a fetch failed.
export const FAILURE = {
  CONNECT: 0, // refused, reset, no such host
  TIMEOUT: 1, // no answer in time
  BUSY: 2, // no room for another request
};

export const FUNCTIONS = [
  "adit_alloc",
  "adit_free",
  "adit_configure",
  "adit_rules_version",
  "adit_open",
  "adit_close",
  "adit_request",
  "adit_recalled",
  "adit_ready",
  "adit_resume",
  "adit_fetched",
  "adit_fetched_body",
  "adit_fetched_end",
  "adit_fetch_failed",
  "adit_response",
  "adit_body",
  "adit_body_end",
  "adit_status",
  "adit_timeout_ms",
  "adit_done",
  "adit_get",
  "adit_len",
];
