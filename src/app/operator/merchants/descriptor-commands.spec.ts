import { describe, expect, it } from '@jest/globals';
import { Chains } from '#contexts/networks/contract/chains.js';
import { MerchantWalletAddresses } from '#contexts/payments/infrastructure/requests/persistence/views/merchant-wallet-addresses.js';
import { SettlementTermsRecords } from '#contexts/point-of-sale/infrastructure/persistence/settlement-terms-records.js';
import { SingleCommand } from '../testing/lone-command.js';
import { walletDescriptorCommands } from './descriptor-commands.js';

const OWNER = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';
const [OWN, OTHER] = ['0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e90', '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e91'];

describe('The command "descriptor show"', () => {
  it('prefers the wallet of the account to that of the organization', async () => {
    const terms = [
      { id: 'whole', network: 'bitcoin', accountId: null, settlementAddress: 'W' },
      { id: 'own', network: 'bitcoin', accountId: OWN, settlementAddress: 'A' },
      { id: 'elsewhere', network: 'litecoin', accountId: OTHER, settlementAddress: 'L' },
    ];
    const find = (wallet: string) => ({ addressAt: (number: number) => `${wallet}${number}` });
    const show = new SingleCommand(walletDescriptorCommands, 'descriptor show', [
      [SettlementTermsRecords, { listCurrent: async () => terms }],
      [
        Chains,
        {
          find: () => ({
            wallets: { walletOfSettlementAddress: find },
            depositAddresses: { sequenceName: () => 'numbering' },
          }),
        },
      ],
      [MerchantWalletAddresses, { findUsage: async () => undefined }],
    ]);
    const of = (values: object) => show.run({ organization: OWNER, network: 'bitcoin', ...values });

    expect(await of({ account: OWN })).toMatchObject({
      ...{ id: 'own', set_for: 'account', next_addresses: ['A0', 'A1', 'A2'], last_paid: null, unused: 0 },
    });
    expect([await of({ account: OTHER }), await of({})]).toMatchObject([{ id: 'whole' }, { id: 'whole' }]);
  });
});
