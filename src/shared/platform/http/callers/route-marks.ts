import type { ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { ORGANIZATION_SCOPE_ROUTE, OWN_RATE_ROUTE, PUBLIC_ROUTE, RAW_ANSWER_ROUTE } from './route-markers.js';
import { RouteMemory } from './route-memory.js';

/** The values of a route's markers. */
export interface RouteMarks {
  readonly isPublic: boolean;
  readonly hasOwnRate: boolean;
  readonly wantsOrganization: boolean;
  readonly answersRaw: boolean;
}

/** Reads the markers of each route once: decorators do not change while a process runs. */
export class MarkedRoutes {
  private readonly marks = new RouteMemory((context) => this.read(context));

  constructor(private readonly reflector: Reflector) {}

  of(context: ExecutionContext): RouteMarks {
    return this.marks.of(context);
  }

  private read(context: ExecutionContext): RouteMarks {
    const isMarked = (marker: string) =>
      this.reflector.getAllAndOverride<boolean | undefined>(marker, [
        context.getHandler(),
        context.getClass(),
      ]) === true;
    return {
      isPublic: isMarked(PUBLIC_ROUTE),
      hasOwnRate: isMarked(OWN_RATE_ROUTE),
      wantsOrganization: isMarked(ORGANIZATION_SCOPE_ROUTE),
      answersRaw: isMarked(RAW_ANSWER_ROUTE),
    };
  }
}
