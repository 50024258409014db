import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { PublicRateLimiter } from './public-rate-limiter.js';
import { RouteMarkerReader } from './route-markers.js';

/** Each route is counted separately, so that a flood on one route does not block the others. */
@Injectable()
export class PublicRoutesGuard implements CanActivate {
  private readonly routes: RouteMarkerReader;

  constructor(
    reflector: Reflector,
    private readonly callers: PublicRateLimiter,
  ) {
    this.routes = new RouteMarkerReader(reflector);
  }

  canActivate(context: ExecutionContext): true {
    const { isPublic, hasOwnRate, isUnlimited } = this.routes.markersOf(context);
    if (!isPublic || hasOwnRate || isUnlimited) return true;
    const route = `${context.getClass().name}.${context.getHandler().name}`;
    this.callers.countPageRequest(context.switchToHttp().getRequest<Request>(), route);
    return true;
  }
}
