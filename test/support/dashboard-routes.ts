import 'reflect-metadata';
import { RequestMethod, type DynamicModule, type Type } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { composeService } from '#app/composition.js';
import type { ProcessSettings } from '#app/settings/process-settings.js';
import { placeholderSettings } from '#app/settings/placeholder-settings.js';
import {
  DASHBOARD_ROUTE,
  type DashboardRouteMarker,
} from '#shared/platform/http/dashboard/dashboard-route.js';

export interface DashboardPath {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Absent where somebody forgot it. */
  readonly mark: DashboardRouteMarker | undefined;
}

type Part = Type | DynamicModule | { forwardRef(): Type };

export interface ServiceRoute extends DashboardPath {
  readonly controller: Type;
  readonly handler: (...args: never[]) => unknown;
}

/** All routes below `/app` of the API process, as its modules declare them. */
export function dashboardRoutes(environment?: ProcessSettings['environment']): DashboardPath[] {
  return serviceRoutes(environment)
    .filter(({ path }) => /^\/app(\/|$)/.test(path))
    .map(({ method, path, mark }) => ({ method, path, mark }));
}

export function serviceRoutes(environment: ProcessSettings['environment'] = 'development'): ServiceRoute[] {
  const settings = placeholderSettings();
  const process = { ...settings.process, environment };
  const root = composeService('api', { ...settings, process }, {} as DataSource);
  return [...controllersOf(root)].flatMap(routesOf);
}

function controllersOf(part: Part, seen = new Set<unknown>(), found = new Set<Type>()): Set<Type> {
  const whole = 'forwardRef' in part ? part.forwardRef() : part;
  if (seen.has(whole)) return found;
  seen.add(whole);
  const dynamic: Partial<DynamicModule> = 'module' in whole ? whole : {};
  const type = 'module' in whole ? whole.module : whole;
  const listed = (name: 'controllers' | 'imports') => [
    ...((dynamic[name] ?? []) as unknown[]),
    ...((Reflect.getMetadata(name, type) ?? []) as unknown[]),
  ];
  for (const controller of listed('controllers')) found.add(controller as Type);
  for (const imported of listed('imports')) controllersOf(imported as Part, seen, found);
  return found;
}

function routesOf(controller: Type): ServiceRoute[] {
  const bases = [Reflect.getMetadata('path', controller) as string | string[]].flat();
  return bases.flatMap((base) => routesBelow(base, controller));
}

function routesBelow(base: string, controller: Type): ServiceRoute[] {
  const prototype = controller.prototype as Record<string, unknown>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = Object.getOwnPropertyDescriptor(prototype, name)?.value as
      ServiceRoute['handler'] | undefined;
    const method = handler && (Reflect.getMetadata('method', handler) as RequestMethod | undefined);
    if (handler === undefined || method === undefined) return [];
    const below = Reflect.getMetadata('path', handler) as string;
    const path = `/${base}/${below}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1');
    const mark = Reflect.getMetadata(DASHBOARD_ROUTE, handler) as DashboardRouteMarker | undefined;
    return [{ method: RequestMethod[method] as 'GET' | 'POST', path, mark, controller, handler }];
  });
}
