// Jest's sequencer knows how long a file takes only from earlier runs, and a fresh clone has none. The longest files go first, and short
// ones last, so that at the end no long file runs alone.
import Sequencer from '@jest/test-sequencer';

const LONGEST =
  /\/(guides|sandbox|payers|client-package|simulation|hostile-values|killed-processes)\.(e2e|fault)\.m?[jt]s$/;
const LONG_FIRST = ['long', 'pages', 'faults', 'evidence', 'e2e', 'bench', 'chain', 'client', 'database'];

const rank = ({ path, context }) => {
  if (LONGEST.test(path)) return -1;
  const kind = LONG_FIRST.indexOf(context.config.displayName.name);
  return kind < 0 ? LONG_FIRST.length : kind;
};

export default class LongFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
}
