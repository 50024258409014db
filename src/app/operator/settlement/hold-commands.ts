import { ReleaseSettlementHold } from '#contexts/payments/application/watching/release-settlement-hold.js';
import {
  SettlementHolds,
  type SettlementHold,
} from '#contexts/payments/application/watching/settlement-holds.js';
import { presentPage } from '#shared/platform/http/answers/pagination.dto.js';
import { notFound } from '#shared/kernel/domain-error.js';
import { columns } from '../answer.js';
import { PAGE_OPTIONS, type ServiceCommand } from '../command.js';
import { organizationName } from '../merchants/organization-commands.js';

export const holdCommands: ServiceCommand[] = [
  {
    words: 'hold list',
    about:
      'List the addresses that are not settled because money that was credited disappeared, oldest first.',
    example: '--all',
    options: { all: { about: 'those that were released too' }, ...PAGE_OPTIONS },
    async run(context, args) {
      const page = args.page();
      const found = await context.get(SettlementHolds).list(args.flag('all'), page);
      return { data: presentPage(found, page, present) };
    },
  },
  {
    words: 'hold release',
    about: 'Let an address be settled again; who did it and why is kept.',
    changes: {
      what: 'what settlement may deliver',
      irreversible: 'A released hold stays released: the address is delivered from the next run on.',
      audited: 'with it',
      async preview(context, args) {
        const hold = await context.get(SettlementHolds).find(args.id<string>('hold'));
        if (hold === null) throw notFound('settlement hold');
        const { address, network, organizationId } = hold;
        const owner = await organizationName(context, organizationId);
        return {
          effect: `What the address ${address} on ${network} holds will be delivered to ${owner}, though a credit of it was reversed.`,
          confirmedBy: address,
        };
      },
    },
    example: "0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f --reason 'the merchant was paid otherwise'",
    arguments: { hold: 'its id, as hold list shows it' },
    options: { reason: { value: 'text', about: 'why it may be settled', required: true } },
    async run(context, args) {
      const hold = await context.get(ReleaseSettlementHold).execute({
        id: args.id<string>('hold'),
        reason: args.text('reason'),
        actor: args.actor,
      });
      return { data: present(hold) };
    },
  },
];

function present(hold: SettlementHold) {
  return {
    ...columns(hold, 'id', 'network', 'address', 'paymentRequestId', 'organizationId', 'accountId'),
    ...columns(hold, 'transferId', 'heldAt', 'releasedAt', 'releasedBy', 'releaseReason'),
  };
}
