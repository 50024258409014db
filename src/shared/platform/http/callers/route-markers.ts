import { Controller, SetMetadata, applyDecorators, type ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { ApiExcludeController, ApiExtension } from '@nestjs/swagger';
import { ApiErrors } from '../errors/api-errors.js';
import { FILE_ROUTE, type FileRule } from '../input/uploaded-file.js';

const PUBLIC_ROUTE = 'route:public';
export const ORGANIZATION_SCOPE_ROUTE = 'route:organization-scope';
const OWN_RATE_ROUTE = 'route:own-rate';
const UNLIMITED_ROUTE = 'route:unlimited';
const DEVICE_ROUTE = 'route:device';
export const DEVICE_ALLOWED_FIELDS = 'route:device-body';
const RAW_ANSWER_ROUTE = 'route:raw-answer';
export const GUARD_FIELDS = 'route:guard-fields';
export const PUBLIC_OPERATION = 'x-public-operation';

/** The route needs no credential. Routes without this marker require one. */
export const Public = () =>
  applyDecorators(SetMetadata(PUBLIC_ROUTE, true), ApiExtension(PUBLIC_OPERATION, true));

export const OwnRateLimit = () => SetMetadata(OWN_RATE_ROUTE, true);

/** A public route without rate limits, because the operator's health checks must succeed under load. */
export const NoRateLimit = () => SetMetadata(UNLIMITED_ROUTE, true);

export const RequireOrganizationScope = () =>
  applyDecorators(SetMetadata(ORGANIZATION_SCOPE_ROUTE, true), ApiErrors('organization_scope_required'));

/**
 * `own_point_of_sale`: records of the point of sale in the path (`posID`). `creation`: has a separate rate limit.
 * `common`: data that every caller may read.
 */
export type DeviceUse = 'own_point_of_sale' | 'creation' | 'common';

export type DeviceAllowedFields = Readonly<Record<string, true | readonly string[]>>;

/** Routes without this marker reject devices. @param body the only fields that a device may send */
export const AllowDevices = (use: DeviceUse = 'own_point_of_sale', body?: DeviceAllowedFields) =>
  applyDecorators(SetMetadata(DEVICE_ROUTE, use), SetMetadata(DEVICE_ALLOWED_FIELDS, body));

export const RawAnswer = () => SetMetadata(RAW_ANSWER_ROUTE, true);

/** Anyone with the link may open these pages. Each handler enforces its own rate limit (`PublicRateLimiter`). */
export const PublicPages = (path: string) =>
  applyDecorators(Controller(path), ApiExcludeController(), Public(), OwnRateLimit(), RawAnswer());

export function decorateHandler(
  controller: object,
  handler: string | symbol | undefined,
  ...decorators: readonly MethodDecorator[]
): void {
  applyDecorators(...decorators)(
    controller,
    handler!,
    Object.getOwnPropertyDescriptor(controller, handler!)!,
  );
}

type Handler = ReturnType<ExecutionContext['getHandler']>;

/** Keyed by controller class and handler, because several classes can inherit a handler. */
export class RouteCache<T> {
  private readonly byClass = new WeakMap<object, WeakMap<Handler, T>>();

  constructor(private readonly compute: (context: ExecutionContext) => T) {}

  get(context: ExecutionContext): T {
    const [controller, handler] = [context.getClass(), context.getHandler()];
    let byHandler = this.byClass.get(controller);
    if (byHandler === undefined) this.byClass.set(controller, (byHandler = new WeakMap()));
    let known = byHandler.get(handler);
    if (known === undefined) byHandler.set(handler, (known = this.compute(context)));
    return known;
  }
}

export interface RouteMarkers {
  readonly isPublic: boolean;
  readonly hasOwnRate: boolean;
  readonly isUnlimited: boolean;
  readonly needsOrganization: boolean;
  readonly answersRaw: boolean;
  readonly deviceUse: DeviceUse | undefined;
  readonly file: FileRule | undefined;
}

export class RouteMarkerReader {
  private readonly marks = new RouteCache((context) => this.read(context));

  constructor(private readonly reflector: Reflector) {}

  markersOf(context: ExecutionContext): RouteMarkers {
    return this.marks.get(context);
  }

  private read(context: ExecutionContext): RouteMarkers {
    const isMarked = (marker: string) =>
      this.reflector.getAllAndOverride<boolean | undefined>(marker, [
        context.getHandler(),
        context.getClass(),
      ]) === true;
    return {
      isPublic: isMarked(PUBLIC_ROUTE),
      hasOwnRate: isMarked(OWN_RATE_ROUTE),
      isUnlimited: isMarked(UNLIMITED_ROUTE),
      needsOrganization: isMarked(ORGANIZATION_SCOPE_ROUTE),
      answersRaw: isMarked(RAW_ANSWER_ROUTE),
      deviceUse: this.reflector.get<DeviceUse | undefined>(DEVICE_ROUTE, context.getHandler()),
      file: this.reflector.get<FileRule | undefined>(FILE_ROUTE, context.getHandler()),
    };
  }
}
