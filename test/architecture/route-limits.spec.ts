import type { ExecutionContext, Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { describe, expect, it } from '@jest/globals';
import { CallerAddressResolver } from '#shared/platform/http/callers/caller-address-resolver.js';
import { WindowRateLimits } from '#shared/platform/http/callers/window-rate-limits.js';
import { HttpSettings } from '#shared/platform/http/callers/http-settings.js';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { PublicRoutesGuard } from '#shared/platform/http/callers/public-routes.guard.js';
import { RouteMarkerReader } from '#shared/platform/http/callers/route-markers.js';
import { serviceRoutes, type ServiceRoute } from '../support/dashboard-routes.js';

/** Their use cases count, exactly and over all processes, and never refuse a correct secret. */
const COUNTED_BY_USE_CASES = [
  'POST /app/sign-in',
  'POST /public/till/pairing',
  'POST /public/till/pairing/subject',
  'POST /v1/auth/token',
];

const marked = new RouteMarkerReader(new Reflector());
const contextOf = ({ controller, handler }: ServiceRoute, request: object = {}) =>
  ({
    getClass: () => controller,
    getHandler: () => handler,
    switchToHttp: () => ({ getRequest: () => request }),
  }) as unknown as ExecutionContext;
const nameOf = ({ method, path }: ServiceRoute) => `${method} ${path}`;

const publicRoutes = serviceRoutes().filter((route) => marked.markersOf(contextOf(route)).isPublic);
const marksOf = (route: ServiceRoute) => marked.markersOf(contextOf(route));

/** True for a handler that asks `PublicRateLimiter`, itself or by a method of its class that it calls. */
function asksPublicCallers({ controller, handler }: ServiceRoute): boolean {
  const texts = [handler.toString()];
  for (const [, called] of texts[0]!.matchAll(/this\.(\w+)\(/g)) texts.push(methodOf(controller, called!));
  return texts.some((text) => text.includes('this.callers.runLimited('));
}

function methodOf(controller: Type, name: string): string {
  const method = Object.getOwnPropertyDescriptor(controller.prototype, name)?.value as unknown;
  return typeof method === 'function' ? method.toString() : '';
}

describe('A public route', () => {
  it('rejects an address above its limit, unless a marker says otherwise', () => {
    const settings = new HttpSettings([], undefined, { requests: 1, misses: 1, pages: 1 });
    const callers = new PublicRateLimiter(
      new WindowRateLimits(() => 0),
      new CallerAddressResolver(settings),
      settings,
    );
    const guard = new PublicRoutesGuard(new Reflector(), callers);
    const isUnlimited = (route: ServiceRoute) => {
      const context = contextOf(route, { socket: { remoteAddress: '198.51.100.1' }, headers: {} });
      try {
        return guard.canActivate(context) && guard.canActivate(context);
      } catch {
        return false;
      }
    };

    const left = publicRoutes.filter(isUnlimited);

    expect(
      left
        .filter((route) => !marksOf(route).hasOwnRate)
        .map(nameOf)
        .sort(),
    ).toEqual(['GET /health', 'GET /health/live', 'GET /health/ready']);
    expect(left.length).toBeLessThan(publicRoutes.length);
  });

  it('has the limit of its marker: by id, by dashboard session or by use case', () => {
    const claimed = publicRoutes.filter((route) => marksOf(route).hasOwnRate);
    const ofSession = (route: ServiceRoute) => route.mark !== undefined && route.mark.action !== 'enter';

    const found = claimed.filter((route) => !ofSession(route) && !asksPublicCallers(route));

    expect(found.map(nameOf).sort()).toEqual(COUNTED_BY_USE_CASES);
  });

  it('is limited by session if it is a page of the dashboard that needs one', () => {
    const pages = publicRoutes.filter(({ mark }) => mark !== undefined && mark.action !== 'enter');

    expect(pages.length).toBeGreaterThan(50);
    expect(pages.filter((route) => !marksOf(route).hasOwnRate).map(nameOf)).toEqual([]);
  });
});
