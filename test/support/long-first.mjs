// Jest's sequencer knows how long a file takes only from earlier runs, and a fresh clone has none. What runs real
// processes goes first, so that at the end no long file runs alone.
import Sequencer from '@jest/test-sequencer';

const LONG_FIRST = [
  '.fault.ts',
  '.evidence.ts',
  '.e2e.ts',
  '.browser.ts',
  '.bench.ts',
  '.test.ts',
  '.int-spec.ts',
];

const rank = ({ path }) => {
  const kind = LONG_FIRST.findIndex((suffix) => path.endsWith(suffix));
  return kind < 0 ? LONG_FIRST.length : kind;
};

export default class LongFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
}
