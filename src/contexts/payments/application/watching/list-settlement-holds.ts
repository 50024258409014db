import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '../../../../shared/kernel/page.js';
import { type SettlementHold, SettlementHolds } from './settlement-holds.js';

/** For operators: what waits for their eye, or all that ever did. */
@Injectable()
export class ListSettlementHolds {
  constructor(private readonly holds: SettlementHolds) {}

  execute(released: boolean, page: PageRequest): Promise<Page<SettlementHold>> {
    return this.holds.list(released, page);
  }
}
