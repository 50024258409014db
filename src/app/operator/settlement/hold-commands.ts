import { ReleaseSettlementHold } from '#contexts/payments/application/evaluation/release-settlement-hold.js';
import {
  SettlementHolds,
  type SettlementHold,
} from '#contexts/payments/application/evaluation/settlement-holds.js';
import { notFound } from '#shared/kernel/domain-error.js';
import { selectFields } from '../command-result.js';
import { PAGE_OPTIONS, commandResultOfPage, type ServiceCommand } from '../command.js';
import { findOrganizationName } from '../merchants/organization-commands.js';

export const holdCommands: ServiceCommand[] = [
  {
    words: 'hold list',
    about: 'List addresses excluded from settlement because a credited payment was reversed, oldest first.',
    example: '--all',
    options: { all: { about: 'include released holds' }, ...PAGE_OPTIONS },
    run: (context, args) =>
      commandResultOfPage(
        args,
        (page) => context.get(SettlementHolds).list(args.flag('all'), page),
        presentHold,
      ),
  },
  {
    words: 'hold release',
    about: 'Allow settlement of a held address again. The actor and the reason are recorded.',
    changes: {
      what: 'a settlement hold',
      irreversible: 'A released hold cannot be set again. The next run settles the address.',
      audited: 'with it',
      async preview(context, args) {
        const hold = await context.get(SettlementHolds).find(args.id<string>('hold'));
        if (hold === null) throw notFound('settlement hold');
        const { address, network, organizationId } = hold;
        const owner = await findOrganizationName(context, organizationId);
        return {
          effect: `The balance of ${address} on ${network} will be settled to ${owner}, although a payment to it was reversed.`,
          confirmedBy: address,
        };
      },
    },
    example: "0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --reason 'the merchant was paid by other means'",
    arguments: { hold: 'id of the hold, from hold list' },
    options: { reason: { value: 'text', about: 'why the address can be settled', required: true } },
    async run(context, args) {
      const hold = await context.get(ReleaseSettlementHold).release({
        id: args.id<string>('hold'),
        reason: args.text('reason'),
        actor: args.actor,
      });
      return { data: presentHold(hold) };
    },
  },
];

function presentHold(hold: SettlementHold) {
  return {
    ...selectFields(hold, 'id', 'network', 'address', 'paymentRequestId', 'organizationId', 'accountId'),
    ...selectFields(hold, 'transferId', 'heldAt', 'releasedAt', 'releasedBy', 'releaseReason'),
  };
}
