import { describe, expect, it } from '@jest/globals';
import { BIRTH, openRequest, timeOf, transfer } from '../../testing/requests/payment-request-builder.js';

describe('Closing the window of a payment request', () => {
  it('moves deadline and grace to now', () => {
    const request = openRequest(100n);

    request.closeWindow(timeOf(10));

    expect([request.snapshot().expiresAt, request.snapshot().countsUntil]).toEqual([timeOf(10), timeOf(16)]);
  });

  it('never before its own birth', () => {
    const request = openRequest(100n);

    request.closeWindow(timeOf(-3));

    expect([request.snapshot().expiresAt, request.snapshot().countsUntil]).toEqual([BIRTH, timeOf(6)]);
  });

  it('never opens it again', () => {
    const request = openRequest(100n);

    request.closeWindow(timeOf(100));

    expect(request.snapshot().expiresAt).toEqual(timeOf(48));
  });

  it('leaves one alone for which something was seen', () => {
    const request = openRequest(100n);
    request.receive([transfer(40n, 3)], timeOf(200));

    request.closeWindow(timeOf(10));

    expect(request.snapshot().expiresAt).toEqual(timeOf(48));
  });
});
