import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { RefundState } from '../../domain/refunds/refund.js';
import type { RefundFilter } from '../../domain/refunds/refunds.js';

export abstract class RefundQueries {
  /** Newest first. */
  abstract page(scope: Scope, filter: RefundFilter, page: PageRequest): Promise<Page<RefundState>>;
}
