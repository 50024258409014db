// Constructs that a reader has to read twice, as far as a script can find them. `npm run check` refuses them in the OpenAPI
// document, in texts of the source (pages, errors, logs, operator help) and in Markdown. The rest is for reviewers:
// docs/contributing/review-remarks.md.

const phrase = (text) => new RegExp(`\\b(?:${text})\\b`, 'gi');

/** The start of a sentence, at the start of the text or after the end of another one. A question may begin with any word. */
const START = '(?:^|(?<=[a-z0-9)`"][.:!] ))';
const first = (words) => new RegExp(`${START}(?:${words})\\b(?![^.!?]*\\?)`, 'g');

// `wrong` and `right` are the fixture of a rule.
export const WORDING_RULES = [
  {
    name: 'subject first',
    pattern: first('Of|By|As|Whose|What'),
    write: 'the subject first',
    wrong: 'Of all payments, also of those not listed.',
    right: 'Total across all payments, including those not listed.',
  },
  {
    name: 'at once',
    pattern: phrase('at once'),
    write: '"immediately" or "concurrently"',
    wrong: 'It is sent at once.',
    right: 'The worker sends it immediately.',
  },
  {
    name: 'any more',
    pattern: phrase('any more'),
    write: '"no longer"',
    wrong: 'It has none any more.',
    right: 'It no longer has one.',
  },
  {
    name: 'for good',
    pattern: phrase('for good|for ever'),
    write: '"permanently"',
    wrong: 'It is gone for good.',
    right: 'It is permanently deleted.',
  },
  {
    name: 'anew',
    pattern: phrase('anew|once more'),
    write: '"again"',
    wrong: 'Create it anew.',
    right: 'Create it again.',
  },
  {
    name: 'by itself',
    pattern: phrase('by itself|of its own|of their own'),
    write: '"automatically", "separate" or "its own"',
    wrong: 'The page moves on by itself.',
    right: 'The page continues automatically.',
  },
  {
    name: 'ornaments',
    pattern: phrase('likewise|meanwhile'),
    write: 'the fact again, or when it happens',
    wrong: 'The other one likewise.',
    right: 'The other endpoint fails too.',
  },
  {
    name: 'no actor',
    pattern: phrase('nobody|somebody'),
    write: 'the actor: the payer, the worker, another person',
    wrong: 'Nobody is told.',
    right: 'The service sends no webhook.',
  },
  {
    name: 'translated verbs',
    pattern: phrase('hears? of|is told|are told|is looked at|are looked at|is asked for|was asked for'),
    write: '"receives", "is notified", "is checked", "is requested"',
    wrong: 'It hears of nothing more.',
    right: 'The webhook stops receiving events.',
  },
  {
    name: 'defaults',
    pattern: phrase('unless set|unless given|left empty|left out'),
    write: '"default: …" or "omitted"',
    wrong: 'Seconds; 60 unless set.',
    right: 'Seconds. Default: 60.',
  },
  {
    name: 'where for if',
    pattern: /(?:^|(?<=[.:;,] ))Where (?:it|a|an|the|there|no|one|none|several|this|that)\b/gi,
    write: '"if" or "when"; "where" is for places',
    wrong: 'Where it has none, the request is refused.',
    right: 'If it has none, the request is refused.',
  },
];

export function faultsOfWording(text) {
  return WORDING_RULES.flatMap((rule) =>
    [...text.matchAll(rule.pattern)].map((match) => ({ rule, index: match.index, found: match[0] })),
  );
}
