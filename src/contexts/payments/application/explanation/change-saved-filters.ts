import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import type { CollaboratorId, OrganizationId } from '#shared/kernel/ids.js';
import { requireText } from '#shared/kernel/text.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import {
  MAX_SAVED_FILTERS,
  SavedFilters,
  type SavedFilter,
} from '../../infrastructure/explanation/persistence/saved-filters.js';

interface FilterOwner extends Actor {
  readonly organizationId: OrganizationId;
  readonly collaboratorId: CollaboratorId;
}

export const MAX_FILTER_NAME_LENGTH = 40;
const MAX_QUERY_LENGTH = 4_000;

@Injectable()
export class ChangeSavedFilters {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly filters: SavedFilters,
    private readonly auditLog: AuditLog,
  ) {}

  /** Replaces a filter with the same name. @throws validation_failed if the name is invalid or the list is full */
  save(owner: FilterOwner, { name: typed, query: filters }: SavedFilter): Promise<void> {
    const name = requireText('name', typed, MAX_FILTER_NAME_LENGTH);
    const query = requireText('query', filters, MAX_QUERY_LENGTH);
    return this.unitOfWork.run(async () => {
      if (!(await this.filters.save(owner.collaboratorId, { name, query })))
        throw invalidField(
          'name',
          'limit',
          `${MAX_SAVED_FILTERS} filters are saved already. Remove one first.`,
        );
      await this.record('saved_filter.saved', owner, null, { name, query });
    });
  }

  remove(owner: FilterOwner, name: string): Promise<void> {
    return this.unitOfWork.run(async () => {
      const removed = await this.filters.remove(owner.collaboratorId, name);
      if (removed !== undefined) await this.record('saved_filter.deleted', owner, removed, null);
    });
  }

  private async record(
    action: 'saved_filter.saved' | 'saved_filter.deleted',
    { organizationId, collaboratorId: subjectId, actor, address }: FilterOwner,
    before: object | null,
    after: object | null,
  ): Promise<void> {
    const at = await this.clock.now();
    await this.auditLog.record({ actor, address, action, organizationId, subjectId, before, after, at });
  }
}
