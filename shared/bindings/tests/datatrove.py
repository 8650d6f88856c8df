# The README's steps for datatrove, run as they stand there over stand-ins that have the members and signatures of datatrove's own
# BaseExtractor, PipelineStep and Document (datatrove itself is not asked for). Usage: datatrove.py FILE, the examples' text.
import multiprocessing
import signal
import sys
import types
from abc import ABC, abstractmethod
from collections import Counter


class Document:
    def __init__(self, text, id, media=(), metadata=None):
        self.text, self.id, self.media, self.metadata = text, id, list(media), metadata or {}


class PipelineStep(ABC):
    name = type = None

    def __init__(self):
        self.stats = Counter()

    def stat_update(self, *labels, value=1, unit=None):
        for label in labels:
            assert isinstance(label, str)
            self.stats[label] += value

    @abstractmethod
    def run(self, data, rank=0, world_size=1):
        yield from data

    def __call__(self, data=None, rank=0, world_size=1):
        return self.run(data, rank, world_size)


class BaseExtractor(PipelineStep):
    type = "extractor"

    @abstractmethod
    def __init__(self, timeout=0.1):
        super().__init__()
        self.timeout = timeout

    @abstractmethod
    def extract(self, text):
        pass

    def run(self, data, rank=0, world_size=1):
        for doc in data:
            signal.setitimer(signal.ITIMER_REAL, 10 * self.timeout)  # as there, with an alarm; longer, for a machine under load
            doc.text = self.extract(doc.text)
            signal.setitimer(signal.ITIMER_REAL, 0)
            if doc.text:
                yield doc
            else:
                self.stat_update("dropped")


for path, members in {"pipeline": {}, "pipeline.base": {"PipelineStep": PipelineStep}, "pipeline.extractors": {}, "pipeline.extractors.base": {"BaseExtractor": BaseExtractor}}.items():
    module = types.ModuleType("datatrove." + path)
    vars(module).update(members)
    sys.modules["datatrove"] = sys.modules.get("datatrove", types.ModuleType("datatrove"))
    sys.modules["datatrove." + path] = module

room = {}
exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), room)

PAGE = '<!doctype html><html lang="en"><title>The title</title><main><h1>The title</h1><p>A paragraph with words enough to be the content of this page.</p></main></html>'
LINK = {"url": "https://example.com/a", "date": "2026-01-02T03:04:05Z"}


def documents():
    return [Document(PAGE, "1", metadata=dict(LINK)), Document("%PDF-1.4", "2", metadata=dict(LINK)), Document(PAGE, "3")]


signal.signal(signal.SIGALRM, signal.SIG_DFL)
for given in ({}, {"format": "md"}):
    step = room["Adit"](**given)
    texts = [doc.text for doc in step(documents())]
    assert len(texts) == 2 and "words enough" in texts[0] and step.stats["dropped"] == 1, (texts, step.stats)
assert isinstance(step, BaseExtractor) and step.name and step.timeout == 1
step = room["AditStep"]()
got = list(step(documents(), rank=1, world_size=4))
assert [doc.id for doc in got] == ["1"], [doc.id for doc in got]
assert got[0].metadata["title"] == "The title" and got[0].metadata["fingerprint"].startswith("sha256-") and got[0].metadata["url"] == LINK["url"], got[0].metadata
assert step.stats["NOT_HTML"] == 1 and step.stats["BAD_URL"] == 1, step.stats
# Later versions extract in a process of its own.
fork = multiprocessing.get_context("fork")
answers = fork.SimpleQueue()
process = fork.Process(target=lambda: answers.put(room["Adit"]().extract(PAGE)))
process.start()
process.join(60)
assert process.exitcode == 0 and "words enough" in answers.get()
print("fine")
