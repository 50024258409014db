import { afterEach, describe } from '@jest/globals';
import { BitcoinChain } from './testing/bitcoin-chain.js';
import { bitcoinLayer, recipient } from './testing/bitcoin-layer.js';
import { BitcoinNode } from './testing/bitcoin-node.js';
import { describeChainType } from '#contexts/networks/testing/contract-suites.js';
import { ADDRESS_FORMATS } from './addresses/address-format.js';
import { BitcoinPayoutAddressRules } from './addresses/bitcoin-payout-address-rules.js';
import { DescriptorAddresses } from './addresses/descriptor-addresses.js';
import { DescriptorWallets } from './addresses/descriptor-wallets.js';

const OWN = recipient('01');
const AMOUNT = 7_000n;
/** Value of each coin that the test payers own. Payments of this value leave no change. */
const COIN = 25_000_000n;
const MINUTE_MS = 60_000;
const DESCRIPTOR =
  'wpkh([73c5da0a/84h/1h]tpubDB5GSFrKWykZsJgwdd9ViGUECU8AQvTxig4iZonrS5BJ2k9V4ucfHifnXTNfRExUaDsLvZedPfbEN2iphbq11CMDe4WJQAvQRqXaGJuwhwk/3/2147483647/0/*)#xx8kyfqw';
const nodes: BitcoinNode[] = [];

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
});

describe.each(['core', 'btcd'] as const)('Bitcoin on a node of the program %s', (program) => {
  describeChainType(
    `bitcoin (${program})`,
    async () => {
      const chain = BitcoinChain.begun(Date.parse('2030-01-01T00:00:00Z'));
      const node = new BitcoinNode(chain, program);
      nodes.push(node);
      const mine = () => {
        chain.now += 10 * MINUTE_MS;
        return chain.mine();
      };
      const { txid, inputs } = chain.pay([{ script: OWN.script, amount: AMOUNT }], { fee: COIN - AMOUNT });
      const { height, stamp } = mine();
      for (let i = 0; i < 3; i += 1) mine();
      const finality = { kind: 'confirmations', confirmations: 3 } as const;
      const { reader, secondEndpoint, lookup } = bitcoinLayer([await node.start()], { finality });
      const wallets = new DescriptorWallets(ADDRESS_FORMATS.regtest);
      return {
        ...{ reader, secondEndpoint, lookup },
        depositAddresses: new DescriptorAddresses(wallets),
        payoutAddresses: new BitcoinPayoutAddressRules(ADDRESS_FORMATS.regtest, wallets),
        number: height,
        transfer: {
          kind: 'output',
          transactionHash: txid,
          index: 0,
          token: 'BTC',
          from: 'unknown',
          to: OWN.address,
          amount: AMOUNT,
          stampedAt: new Date(stamp * 1_000),
          evidence: { spends: inputs.map((each) => `${each.txid}:${each.vout}`) },
        },
        terms: { settlementAddress: DESCRIPTOR, feeRecipient: '', feeBasisPoints: 0 },
        unknownBlock: 'ab'.repeat(32),
        unknownTransaction: 'cd'.repeat(32),
      };
    },
    true,
  );
});
