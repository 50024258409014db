import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../../shared/kernel/ids.js';
import type { SettlementTermsRecord } from '../domain/settlement-terms.js';
import { SettlementTermsRecords } from './settlement-terms-records.js';

/** The terms in force, of the organization and of its accounts. */
@Injectable()
export class ListSettlementTerms {
  constructor(private readonly records: SettlementTermsRecords) {}

  execute(owner: OrganizationId): Promise<SettlementTermsRecord[]> {
    return this.records.current(owner);
  }
}
