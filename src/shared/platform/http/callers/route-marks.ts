import type { ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { ORGANIZATION_SCOPE_ROUTE, OWN_RATE_ROUTE, PUBLIC_ROUTE, RAW_ANSWER_ROUTE } from './route-markers.js';

type Handler = ReturnType<ExecutionContext['getHandler']>;

/** Remembers what was worked out for a route, by class and handler: a handler may be inherited by several classes. */
export class RouteMemory<T> {
  private readonly byClass = new WeakMap<object, WeakMap<Handler, T>>();

  /** @param workOut the same at each call for one route */
  constructor(private readonly workOut: (context: ExecutionContext) => T) {}

  get(context: ExecutionContext): T {
    const [controller, handler] = [context.getClass(), context.getHandler()];
    let byHandler = this.byClass.get(controller);
    if (byHandler === undefined) this.byClass.set(controller, (byHandler = new WeakMap()));
    let known = byHandler.get(handler);
    if (known === undefined) byHandler.set(handler, (known = this.workOut(context)));
    return known;
  }
}

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

  marksOf(context: ExecutionContext): RouteMarks {
    return this.marks.get(context);
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
