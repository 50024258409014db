import { FailWithdrawnPaymentRequests } from '../../contexts/payments/application/fail-withdrawn-payment-requests.js';
import type { Command } from './command.js';

export const assetCommands: Command[] = [
  {
    words: 'asset withdraw',
    about: 'Fail the open payment requests of an asset that is no longer in NETWORKS_FILE; safe to repeat.',
    arguments: ['unique-asset-id'],
    async run(context, given) {
      const failed = await context
        .get(FailWithdrawnPaymentRequests, { strict: false })
        .execute(given.text('unique-asset-id'));
      return { data: { failed } };
    },
  },
];
