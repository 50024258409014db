import { EVM, NETWORKS, type PlantedBug, unit } from './planted-bug.js';

const LARGE = `${EVM}/reading/logs/large-block-logs.spec.ts`;
const WRONG = `${EVM}/reading/logs/large-block-logs-wrong-answers.spec.ts`;
const STREAMED = `${NETWORKS}/json-rpc/streamed-answer.spec.ts`;

/** Blocks of any size: one that stops a network, fills the memory, or is believed where it is cut short. */
export const bugsInFloodsOfLogs: readonly PlantedBug[] = [
  {
    name: 'a block that is too much for one answer is asked for in the same way for ever',
    file: `${NETWORKS}/json-rpc/json-rpc.ts`,
    find: 'if (call.tooMuch === undefined || !mayBeTooMuch(error)) throw error;',
    replace: 'if (call.tooMuch === undefined || !mayBeTooMuch(null)) throw error;',
    caughtBy: unit(LARGE, 'is read %s'),
  },
  {
    name: 'a block between others is given up where an endpoint caps its answers',
    file: `${EVM}/reading/logs/endpoint-logs.ts`,
    find: "refused: () => 'too_much' as const,",
    replace: '',
    caughtBy: unit(LARGE, 'is the only one that is asked for alone where an endpoint names its cap'),
  },
  {
    name: 'all of a large block is held in memory',
    file: `${EVM}/reading/logs/held-logs.ts`,
    find: 'if (this.unasked.length < this.most) return;',
    replace: 'if (this.unasked.length < Infinity) return;',
    caughtBy: unit(LARGE, 'is held in parts, of which only what is ours is kept: %s'),
  },
  {
    name: 'one large block makes all further questions small',
    file: `${NETWORKS}/json-rpc/adaptive-size.ts`,
    find: `  oneWasTooMuch(): void {
    this.bound = this.most;`,
    replace: '  oneWasTooMuch(): void {',
    caughtBy: unit(LARGE, 'leaves behind no small questions, read %s'),
  },
  {
    name: 'receipts that leave logs out are believed',
    file: `${EVM}/reading/logs/complete-logs.ts`,
    find: 'if (this.uncovered.areThere && !isSaturated(this.block.bloom))',
    replace: 'if (this.uncovered.areThere && this.held === null)',
    caughtBy: unit(WRONG, 'is found out by its bloom filter where all receipts leave some out'),
  },
  {
    name: 'a contract of a large block is taken to have no logs, and nobody proves it',
    file: `${EVM}/reading/logs/large-block-logs.ts`,
    find: 'if (mayHaveSome && !part.isShown(block.header.hash)) silent.push(...group);',
    replace:
      'if (mayHaveSome && !held.isShown(block.header.hash) && groups.length === 1) silent.push(...group);',
    caughtBy: unit(WRONG, 'is not believed for one contract because another has logs'),
  },
  {
    name: 'an answer that was cut off is taken for all there is',
    file: `${NETWORKS}/json-rpc/streamed-answer.ts`,
    find: "if (!this.parser.isEnded) throw new TransportFailure('connection', 'an answer that broke off');",
    replace: '',
    caughtBy: unit(STREAMED, 'is refused %s'),
  },
  {
    name: 'the last transactions of a full block are not missed',
    file: `${EVM}/reading/full-blocks.ts`,
    find: 'if (next === hashes.length) return calls.all();',
    replace: 'if (next <= hashes.length) return calls.all();',
    caughtBy: unit(`${EVM}/reading/full-blocks.spec.ts`, 'is refused where the answer %s'),
  },
];
