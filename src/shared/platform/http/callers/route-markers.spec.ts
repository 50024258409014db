import type { ExecutionContext } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { RouteCache } from './route-markers.js';

class Base {
  read(): void {}
  write(): void {}
}
class One extends Base {}
class Other extends Base {}

const route = (controller: typeof Base, handler: 'read' | 'write') =>
  ({
    getClass: () => controller,
    getHandler: () => controller.prototype[handler],
  }) as unknown as ExecutionContext;

describe('A value that is remembered for a route', () => {
  it('is computed once', () => {
    let times = 0;
    const memory = new RouteCache(() => (times += 1));

    expect([memory.get(route(One, 'read')), memory.get(route(One, 'read'))]).toEqual([1, 1]);
  });

  it('is separate for each handler and class, even if classes share a handler', () => {
    const memory = new RouteCache((context) => `${context.getClass().name}.${context.getHandler().name}`);

    const routes = [route(One, 'read'), route(Other, 'read'), route(One, 'write')];

    expect(routes.map((each) => memory.get(each))).toEqual(['One.read', 'Other.read', 'One.write']);
  });
});
