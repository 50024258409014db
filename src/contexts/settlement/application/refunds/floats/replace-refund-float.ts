import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { stateConflict } from '#shared/kernel/domain-error.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { requireText } from '#shared/kernel/text.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog } from '#contexts/identity/contract/audit-log.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import {
  floatKeyName,
  OutboundTransactionSender,
} from '#contexts/networks/contract/outbound-transaction-sender.js';
import type { RefundFloat } from '#contexts/settlement/domain/refunds/refund-float.js';
import { RefundFloats } from '#contexts/settlement/infrastructure/refunds/persistence/refund-floats.js';

export interface ReplaceRefundFloatInput {
  readonly organizationId: OrganizationId;
  readonly network: string;
  readonly actor: string;
}

/** The balance of the old float stays at the old address. */
@Injectable()
export class ReplaceRefundFloat {
  constructor(
    private readonly floats: RefundFloats,
    private readonly sender: OutboundTransactionSender,
    private readonly auditLog: AuditLog,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async replace({ organizationId, network, actor }: ReplaceRefundFloatInput): Promise<RefundFloat> {
    const address = this.sender.addressOf(network, floatKeyName(organizationId));
    const float = await this.floats.findOrCreate(organizationId, network);
    if (float.address === null)
      throw stateConflict('The float has no address yet. Create it with float open.');
    if (float.address === address) {
      const shown = toDisplayAddress(address);
      throw stateConflict(
        `This process still has the key of the current float, ${shown}. Set the new key first.`,
      );
    }
    return this.unitOfWork.run(async () => {
      const holdings = await this.floats.lock(float.id);
      if ([...holdings.values()].some(({ reserved }) => reserved > 0n)) {
        throw stateConflict(
          'The float has unfinished payments. Wait until its current key has paid them; float status lists them.',
        );
      }
      const replacement = await this.floats.replace(float, address);
      if (replacement === null) throw stateConflict('Another command has replaced the float.');
      await this.auditLog.record({
        actor: requireText('actor', actor, 200),
        action: 'refund_float.replaced',
        organizationId,
        subjectId: replacement.id,
        at: await this.clock.now(),
        before: { network, address: float.address },
        after: { network, address },
      });
      return replacement;
    });
  }
}
