import { describeAuthorizedTransfers } from './authorization-suite.js';
import { describeFamily } from './contract-suites.js';
import { MemoryChain } from './memory-chain.js';
import { MEMORY_ACCOUNT, MEMORY_COIN, MEMORY_NETWORK, MEMORY_TOKEN, MemoryFamily } from './memory-family.js';

describeAuthorizedTransfers('memory', async () => {
  const { authorizedTransfers: transfers } = new MemoryFamily(
    new MemoryChain(MEMORY_COIN.token, new Date('2030-01-01T00:00:00Z')),
  );
  const { now } = transfers;
  transfers.hold('rPAYER', 100n);
  let last = 0;
  return {
    transfers,
    now,
    network: MEMORY_NETWORK,
    token: MEMORY_TOKEN,
    other: MEMORY_COIN.token,
    payer: 'rPAYER',
    to: MEMORY_ACCOUNT,
    nonce: () => `nonce ${(last += 1)}`,
    sign: async (authorization) => transfers.sign(authorization),
    send: async (call) => transfers.execute(call),
  };
});

describeFamily('memory', async () => {
  const chain = new MemoryChain(MEMORY_COIN.token, new Date('2030-01-01T00:00:00Z'));
  const family = new MemoryFamily(chain);
  chain.mine();
  const [transfer] = chain.mine({ from: 'rPAYER', to: MEMORY_ACCOUNT, memo: '42', amount: 7n });
  const { number } = chain.head;
  for (let i = 0; i < 3; i += 1) chain.mine();
  const { reader, secondEndpoint, lookup, depositAddresses, payoutAddresses } = family;
  return {
    network: MEMORY_NETWORK,
    reader,
    secondEndpoint,
    lookup,
    depositAddresses,
    payoutAddresses,
    number,
    transfer: transfer!,
    unknownBlock: 'BLOCK-X',
    unknownTransaction: 'TX-0',
    terms: { settlementAddress: 'rMERCHANT', feeRecipient: 'rSERVICE', feeBasisPoints: 100 },
  };
});
