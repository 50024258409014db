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
export const DEVICE_BODY = 'route:device-body';
const RAW_ANSWER_ROUTE = 'route:raw-answer';
/** Metadata key for body fields that a guard uses and removes before the handler receives the body. */
export const GUARD_FIELDS = 'route:guard-fields';
export const PUBLIC_OPERATION = 'x-public-operation';

/** The route needs no credential. Routes without this marker require one. */
export const Public = () =>
  applyDecorators(SetMetadata(PUBLIC_ROUTE, true), ApiExtension(PUBLIC_OPERATION, true));

/** The route's controller enforces its own rate limit instead of the common limit of the credential or address. */
export const OwnRate = () => SetMetadata(OWN_RATE_ROUTE, true);

/** A public route without rate limits, because the operator's health checks must succeed under load. */
export const Unlimited = () => SetMetadata(UNLIMITED_ROUTE, true);

/** The route requires a credential of the organization; credentials of a single account are rejected. */
export const OrganizationScope = () =>
  applyDecorators(SetMetadata(ORGANIZATION_SCOPE_ROUTE, true), ApiErrors('organization_scope_required'));

/**
 * How a device may use a route. `own_point_of_sale`: for records of its own point of sale, which the path names as
 * `posID`. `creation`: to create something there, with a separate rate limit. `common`: for data that every caller may
 * read.
 */
export type DeviceUse = 'own_point_of_sale' | 'creation' | 'common';

/** Body fields that a device may send. For an object, the allowed fields of the object. */
export type DeviceBody = Readonly<Record<string, true | readonly string[]>>;

/**
 * Lets devices use the route. Routes without this marker reject devices.
 * @param body the only fields that a device may send
 */
export const ForDevices = (use: DeviceUse = 'own_point_of_sale', body?: DeviceBody) =>
  applyDecorators(SetMetadata(DEVICE_ROUTE, use), SetMetadata(DEVICE_BODY, body));

/** Sends the answer without the envelope, because an external specification defines its format. */
export const RawAnswer = () => SetMetadata(RAW_ANSWER_ROUTE, true);

/**
 * Marks a controller of pages that anyone with the link may open. Each handler enforces its own rate limit
 * (`PublicCallers`).
 */
export const PublicPages = (path: string) =>
  applyDecorators(Controller(path), ApiExcludeController(), Public(), OwnRate(), RawAnswer());

/** Applies method decorators to a handler from within a decorator of one of its parameters. */
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

/**
 * Caches one value per route. A route is a controller class with a handler, because several classes can inherit a
 * handler.
 */
export class RouteCache<T> {
  private readonly byClass = new WeakMap<object, WeakMap<Handler, T>>();

  /** @param compute returns a value that depends only on the route */
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

export interface RouteMarks {
  readonly isPublic: boolean;
  readonly hasOwnRate: boolean;
  readonly isUnlimited: boolean;
  readonly needsOrganization: boolean;
  readonly answersRaw: boolean;
  /** Undefined if the route rejects devices. */
  readonly deviceUse: DeviceUse | undefined;
  /** Undefined if the route does not accept a file. */
  readonly file: FileRule | undefined;
}

/** Reads the markers of each route once, because decorators do not change at runtime. */
export class MarkedRoutes {
  private readonly marks = new RouteCache((context) => this.read(context));

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
      isUnlimited: isMarked(UNLIMITED_ROUTE),
      needsOrganization: isMarked(ORGANIZATION_SCOPE_ROUTE),
      answersRaw: isMarked(RAW_ANSWER_ROUTE),
      deviceUse: this.reflector.get<DeviceUse | undefined>(DEVICE_ROUTE, context.getHandler()),
      file: this.reflector.get<FileRule | undefined>(FILE_ROUTE, context.getHandler()),
    };
  }
}
