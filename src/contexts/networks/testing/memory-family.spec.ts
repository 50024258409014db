import { describeFamily } from './contract-suites.js';
import { MemoryChain } from './memory-chain.js';
import { MEMORY_ACCOUNT, MEMORY_COIN, MEMORY_NETWORK, MemoryFamily } from './memory-family.js';

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
