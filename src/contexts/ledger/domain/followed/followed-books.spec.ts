import { expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { toSourceEvent } from '../../infrastructure/subscribers/followed-events.js';
import { anOwner, emptied, settlementEvent } from '../../testing/source-events.js';
import { FollowedBooks } from './followed-books.js';
import { OpenMoney } from './open-money.js';

it('A settlement that only delivers fees is booked', () => {
  const taken = [emptied({ paymentRequestId: newId(), address: '0xa' }, 10n, 10_000)];
  const event = { ...settlementEvent(anOwner(), newId(), 'processing', taken), id: newId<string>() };
  const books = new FollowedBooks(new Map(), new OpenMoney(), newId);

  books.follow(toSourceEvent(event)!);

  expect(books.transactions).toMatchObject([{ type: 'withdraw', grossAmount: 10n, netAmount: 0n }]);
});
