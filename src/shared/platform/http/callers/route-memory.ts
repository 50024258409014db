import type { ExecutionContext } from '@nestjs/common';

type Handler = ReturnType<ExecutionContext['getHandler']>;

/** Remembers what was worked out for a route, by class and handler: a handler may be inherited by several classes. */
export class RouteMemory<T> {
  private readonly byClass = new WeakMap<object, WeakMap<Handler, T>>();

  /** @param workOut the same at each call for one route */
  constructor(private readonly workOut: (context: ExecutionContext) => T) {}

  of(context: ExecutionContext): T {
    const [controller, handler] = [context.getClass(), context.getHandler()];
    let byHandler = this.byClass.get(controller);
    if (byHandler === undefined) this.byClass.set(controller, (byHandler = new WeakMap()));
    let known = byHandler.get(handler);
    if (known === undefined) byHandler.set(handler, (known = this.workOut(context)));
    return known;
  }
}
