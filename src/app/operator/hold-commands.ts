import { ReleaseSettlementHold } from '../../contexts/payments/application/watching/release-settlement-hold.js';
import {
  SettlementHolds,
  type SettlementHold,
} from '../../contexts/payments/application/watching/settlement-holds.js';
import { presentPage } from '../../shared/platform/http/answers/pagination.dto.js';
import { PAGE_OPTIONS, type Command } from './command.js';

export const holdCommands: Command[] = [
  {
    words: 'hold list',
    about:
      'List the addresses that are not settled because money that was credited disappeared, oldest first.',
    options: { all: { about: 'those that were released too' }, ...PAGE_OPTIONS },
    async run(context, args) {
      const page = args.page();
      const found = await context.get(SettlementHolds, { strict: false }).list(args.flag('all'), page);
      return { data: presentPage(found, page, present) };
    },
  },
  {
    words: 'hold release',
    about: 'Let an address be settled again; who did it and why is kept.',
    arguments: ['hold'],
    options: { reason: { value: 'text', about: 'why it may be settled', required: true } },
    async run(context, args) {
      const hold = await context.get(ReleaseSettlementHold, { strict: false }).execute({
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
    id: hold.id,
    network: hold.network,
    address: hold.address,
    payment_request_id: hold.paymentRequestId,
    organization_id: hold.organizationId,
    account_id: hold.accountId,
    transfer_id: hold.transferId,
    held_at: hold.heldAt.toISOString(),
    released_at: hold.releasedAt?.toISOString() ?? null,
    released_by: hold.releasedBy,
    release_reason: hold.releaseReason,
  };
}
