// Jest's sequencer knows how long a file takes only from earlier runs, and a fresh clone has none. What runs real
// processes goes first, so that at the end no long file runs alone.
import Sequencer from '@jest/test-sequencer';

const LONG_FIRST = ['long', 'faults', 'evidence', 'pages', 'e2e', 'bench', 'chain', 'client', 'database'];

const rank = ({ context }) => {
  const kind = LONG_FIRST.indexOf(context.config.displayName.name);
  return kind < 0 ? LONG_FIRST.length : kind;
};

export default class LongFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
}
