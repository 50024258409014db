import { describe, expect, it } from '@jest/globals';
import { NOW } from '../../testing/requests/paid-request.js';
import {
  crossChecked,
  LAST_BLOCK,
  openRequest,
  readTo,
  transfer,
} from '../../testing/requests/payment-request-builder.js';

const past = LAST_BLOCK + 1;

describe('A transfer that awaits agreement', () => {
  it('counts at once, and decides nothing before it is agreed on, however late that is', () => {
    let request = openRequest(100n);
    const large = transfer(100n, 3);
    request.receive([{ ...large, awaitsCrossCheck: true }], NOW);
    request.judge(readTo(past + 50), NOW);
    const waiting = request.snapshot();

    request = crossChecked(request, large.id);
    request.judge(readTo(past + 50), NOW);

    expect([waiting.status, waiting.receivedAmount]).toEqual(['processing', 100n]);
    expect(request.snapshot().status).toBe('completed');
  });
});
