import { Injectable } from '@nestjs/common';
import { invalidField, unavailable } from '#shared/kernel/domain-error.js';
import { isUuid } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import {
  MerchantEvents,
  type MerchantEventFilter,
  type MerchantEventsPage,
} from '../../domain/events/merchant-events.js';

export interface ListMerchantEventsInput {
  readonly scope: Scope;
  /** Narrows to one account, as the caller spelled it; only a caller for the whole organization may do so. */
  readonly account?: string;
  /** The id of the last event that is known already, as the caller spelled it. */
  readonly after?: string;
  readonly limit: number;
  readonly filter?: MerchantEventFilter;
}

export interface ListedEvents extends MerchantEventsPage {
  /** The `after` of the next request; absent where nothing has happened yet. */
  readonly nextAfter?: string;
}

/** Continues to read the merchant events of an organization or account. */
@Injectable()
export class ListMerchantEvents {
  constructor(
    private readonly events: MerchantEvents,
    private readonly accounts: AccountDirectory,
  ) {}

  /**
   * @throws DomainError account_not_allowed; validation_failed on `after`, the same for whatever is no event in the
   * scope; unavailable where it is one that was delivered before it was recorded
   */
  async execute({ scope, account, after, limit, filter }: ListMerchantEventsInput): Promise<ListedEvents> {
    const narrowed = await this.accounts.narrowIfNamed(scope, account);
    const cursor = after?.toLowerCase();
    const page =
      cursor === undefined || isUuid(cursor)
        ? await this.events.following({ scope: narrowed, after: cursor, limit, filter })
        : null;
    if (page === null) {
      if (cursor !== undefined && isUuid(cursor) && (await this.events.isComing(narrowed, cursor))) {
        throw unavailable('This event is about to be recorded. Try again shortly.');
      }
      throw invalidField(
        'after',
        'event',
        'is no event that this request can see. Send the id of one, or leave it out to read from the beginning.',
      );
    }
    const nextAfter = page.readTo ?? page.events.at(-1)?.id ?? cursor;
    return { ...page, nextAfter };
  }
}
