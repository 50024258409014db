import { Injectable, RequestMethod, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { hasPermission } from '#shared/kernel/dashboard-access.js';
import { CrossSiteRefused } from '#shared/platform/http/browsers/cross-site.js';
import { CallerAddressResolver } from '#shared/platform/http/callers/caller-address-resolver.js';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { RouteCache } from '#shared/platform/http/callers/route-markers.js';
import {
  DASHBOARD_ROUTE,
  type DashboardRouteMarker,
} from '#shared/platform/http/dashboard/dashboard-route.js';
import type { DashboardUser, DashboardUserRequest } from '#shared/platform/http/dashboard/dashboard-user.js';
import { DashboardSettings } from '#shared/platform/http/dashboard/dashboard-settings.js';
import { DashboardSessions } from '../persistence/dashboard-sessions.js';
import { DashboardRoleMissing, SignInRequired } from './dashboard-refusals.js';
import { sessionDigestOf } from './visits.js';

/**
 * Sets `request.visitor`, unless the action requires a fresh second factor: then `RecentSecondFactorGuard` does. Limits
 * requests per session or, without one, per IP address.
 */
@Injectable()
export class DashboardGuard implements CanActivate {
  private readonly marks: RouteCache<DashboardRouteMarker | undefined>;

  constructor(
    reflector: Reflector,
    private readonly sessions: DashboardSessions,
    private readonly addresses: CallerAddressResolver,
    private readonly callers: PublicRateLimiter,
    private readonly settings: DashboardSettings,
  ) {
    this.marks = new RouteCache((context) => {
      const handler = context.getHandler();
      const mark = reflector.getAllAndOverride<DashboardRouteMarker | undefined>(DASHBOARD_ROUTE, [
        handler,
        context.getClass(),
      ]);
      const shows = reflector.get<RequestMethod>(METHOD_METADATA, handler) === RequestMethod.GET;
      if (mark !== undefined && mark.act === undefined && !shows)
        throw new Error(`${context.getClass().name}.${handler.name} declares no act of the dashboard.`);
      return mark;
    });
  }

  canActivate(context: ExecutionContext): true | Promise<true> {
    const mark = this.marks.get(context);
    return (
      mark === undefined ||
      this.admit(mark, context.switchToHttp().getRequest<Request & DashboardUserRequest>())
    );
  }

  private async admit(
    { action, stages, act }: DashboardRouteMarker,
    request: Request & DashboardUserRequest,
  ): Promise<true> {
    if (request.method !== 'GET') requireOwnOrigin(request, this.settings.origin);
    if (action === 'enter') return true;
    const visitor = await this.authenticate(request);
    if (!stages.includes(visitor.stage)) throw new SignInRequired(visitor.stage);
    if (!hasPermission(visitor.role, action)) throw new DashboardRoleMissing(visitor.role, action);
    if (act?.factor === 'fresh') request.unproven = { visitor, act };
    else request.visitor = visitor;
    return true;
  }

  private async authenticate(request: Request): Promise<DashboardUser> {
    const digest = sessionDigestOf(request);
    if (digest !== undefined) this.callers.countDashboardSessionRequest(request, digest.toString('hex'));
    const session = digest === undefined ? null : await this.sessions.findActive(digest);
    if (session === null) {
      this.callers.countPageRequest(request, 'dashboard');
      throw new SignInRequired();
    }
    if (session.isUnseen) await this.sessions.recordUse(session.id);
    const { id: collaboratorId, organizationId, email, name, role } = session.collaborator;
    return {
      collaboratorId,
      email,
      name,
      role,
      organizationId,
      organizationName: session.organizationName,
      timeZone: session.timeZone,
      scope: { organizationId, accountId: null },
      sessionId: session.id,
      stage: session.stage,
      hasPasskey: session.hasPasskey,
      factorProvenAt: session.factorProvenAt,
      address: this.addresses.addressOf(request),
      at: session.now,
    };
  }
}

/**
 * Sibling domains are rejected too, because browsers send them the session cookie. Scripts cannot forge these headers
 * (Fetch Metadata). @throws CrossSiteRefused also if both headers are missing
 */
export function requireOwnOrigin({ headers }: Request, ownOrigin: string): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const isOwn = site === undefined ? origin === ownOrigin : site === 'same-origin';
  if (!isOwn) throw new CrossSiteRefused();
}
