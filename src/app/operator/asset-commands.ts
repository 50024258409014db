import { FailWithdrawnPaymentRequests } from '../../contexts/payments/application/requests/fail-withdrawn-payment-requests.js';
import type { Command } from './command.js';

export const assetCommands: Command[] = [
  {
    words: 'asset withdraw',
    about:
      'Fail the open requests of an asset that is no longer in NETWORKS_FILE, once every process runs without it.',
    arguments: ['unique-asset-id'],
    async run(context, given) {
      const failed = await context
        .get(FailWithdrawnPaymentRequests, { strict: false })
        .execute(given.text('unique-asset-id'));
      return { data: { failed } };
    },
  },
];
