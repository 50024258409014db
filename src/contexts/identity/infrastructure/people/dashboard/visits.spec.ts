import { Post, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { describe, expect, it } from '@jest/globals';
import { DashboardGuard, requireOwnOrigin } from './dashboard.guard.js';
import { knownBrowserCookieDigestOf, safeRedirectPath } from './visits.js';

describe('The device cookie of the dashboard', () => {
  const digestOf = (cookie: string) => knownBrowserCookieDigestOf({ headers: { cookie } } as never);

  it('is ignored if it is missing or sent twice', () => {
    const cookie = '__Host-dashboard_device=a';

    expect(digestOf(cookie)).toBeInstanceOf(Buffer);
    expect([digestOf(`${cookie}; ${cookie}`), digestOf('')]).toEqual([undefined, undefined]);
  });
});

describe('A form', () => {
  const OWN = 'https://pay.example';
  const isTaken = (headers: object) => {
    try {
      requireOwnOrigin({ headers } as never, OWN);
      return true;
    } catch {
      return false;
    }
  };

  it.each([
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'same-site', origin: OWN }, false],
    [{ 'sec-fetch-site': 'none', origin: OWN }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ origin: OWN }, true],
    [{ origin: 'https://shop.pay.example' }, false],
    [{}, false],
  ])('is accepted only from the origin of the dashboard: headers %j, accepted %s', (headers, taken) => {
    expect(isTaken(headers)).toBe(taken);
  });
});

const NO_PARTS = [] as unknown as [never, never, never, never];

describe('A form that declares no act', () => {
  it('fails for every sender', () => {
    class Forgotten {
      @DashboardRoute('read')
      @Post()
      change(): void {}
    }
    const guard = new DashboardGuard(new Reflector(), ...NO_PARTS);
    const context = { getHandler: () => Forgotten.prototype.change, getClass: () => Forgotten };

    expect(() => guard.canActivate(context as unknown as ExecutionContext)).toThrow(
      'Forgotten.change declares no act',
    );
  });
});

describe('The page after the sign-in', () => {
  it.each(['/app', '/app/team?page=2', '/app?x=1'])('is the requested page: %s', (then) => {
    expect(safeRedirectPath(then)).toBe(then);
  });

  it.each([
    undefined,
    '',
    'https://evil.example/',
    '//evil.example/app',
    '/\\evil.example',
    '/app@evil.example',
    '/apple',
    '/v1/pos',
    'javascript:alert(1)',
    '/app/\r\nx: y',
  ])('is the first page if the requested one is not in the dashboard: %j', (then) => {
    expect(safeRedirectPath(then)).toBe('/app');
  });
});
