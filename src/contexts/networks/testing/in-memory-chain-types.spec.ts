import { describeAuthorizedTransfers } from './authorization-suite.js';
import { describeChainType } from './contract-suites.js';
import { MemoryChain } from './memory-chain.js';
import {
  MEMORY_ACCOUNT,
  MEMORY_COIN,
  MEMORY_NETWORK,
  MEMORY_TOKEN,
  MemoryChainType,
} from './memory-chain-type.js';
import { OutputChain } from './output-chain.js';
import { OUTPUT_COIN, OutputChainType } from './output-chain-type.js';
import { describePendingTransfers } from './pending-suite.js';

const BEGIN = Date.parse('2030-01-01T00:00:00Z');
const OWN = `out1${'0a'.repeat(19)}`;

function outputs(confirmations = 1) {
  const chain = new OutputChain(OUTPUT_COIN.token, BEGIN);
  const mine = () => {
    chain.now += 600_000;
    return chain.mine();
  };
  for (let i = 0; i < 12; i += 1) mine();
  return { chain, mine, family: new OutputChainType(chain, confirmations) };
}

describeChainType('memory', async () => {
  const chain = new MemoryChain(MEMORY_COIN.token, new Date(BEGIN));
  chain.mine();
  const [transfer] = chain.mine({ from: 'rPAYER', to: MEMORY_ACCOUNT, memo: '42', amount: 7n });
  const { number } = chain.head;
  for (let i = 0; i < 3; i += 1) chain.mine();
  return {
    ...new MemoryChainType(chain),
    ...{ number, transfer: transfer! },
    ...{ unknownBlock: 'BLOCK-X', unknownTransaction: 'TX-0' },
    terms: { settlementAddress: 'rMERCHANT', feeRecipient: 'rSERVICE', feeBasisPoints: 100 },
  };
});

describeChainType(
  'output',
  async () => {
    const { chain, mine, family } = outputs(3);
    const transaction = chain.send([{ to: OWN, amount: 7n }]);
    const block = mine();
    for (let i = 0; i < 3; i += 1) mine();
    return {
      ...family,
      number: block.header.number,
      transfer: chain.transfersOf(transaction, block)[0]!,
      ...{ unknownBlock: 'ab'.repeat(32), unknownTransaction: 'cd'.repeat(32) },
      terms: { settlementAddress: 'wallet(MERCHANT)', feeRecipient: '', feeBasisPoints: 0 },
    };
  },
  true,
);

describePendingTransfers('output', async () => {
  const { chain, mine, family } = outputs();
  return {
    ...{ reader: family.reader, pending: family.pending },
    ...{ own: OWN, foreign: `out1${'0b'.repeat(19)}` },
    pay: async (to, replaced) =>
      void chain.send([{ to, amount: 5n }], replaced?.evidence['spends'] as readonly string[] | undefined),
    mine: async () => void mine(),
  };
});

describeAuthorizedTransfers('memory', async () => {
  const { authorizedTransfers: transfers } = new MemoryChainType(
    new MemoryChain(MEMORY_COIN.token, new Date(BEGIN)),
  );
  transfers.hold('rPAYER', 100n);
  let last = 0;
  return {
    ...{ transfers, now: transfers.now, network: MEMORY_NETWORK, token: MEMORY_TOKEN },
    ...{ other: MEMORY_COIN.token, payer: 'rPAYER', to: MEMORY_ACCOUNT },
    nonce: () => `nonce ${(last += 1)}`,
    sign: async (authorization) => transfers.sign(authorization),
    send: async (call) => transfers.execute(call),
  };
});
