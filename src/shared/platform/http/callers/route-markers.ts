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
/** Body fields that a guard consumes and the handler never receives. */
export const GUARD_FIELDS = 'route:guard-fields';
export const PUBLIC_OPERATION = 'x-public-operation';

/** The route needs no credential. Routes without this marker are protected. */
export const Public = () =>
  applyDecorators(SetMetadata(PUBLIC_ROUTE, true), ApiExtension(PUBLIC_OPERATION, true));

/** The route's controller enforces its own rate; the common rate of the credential or address does not apply. */
export const OwnRate = () => SetMetadata(OWN_RATE_ROUTE, true);

/** A public route without limits, because the operator's probes must succeed under load. */
export const Unlimited = () => SetMetadata(UNLIMITED_ROUTE, true);

/** Requires a credential of the complete organization. */
export const OrganizationScope = () =>
  applyDecorators(SetMetadata(ORGANIZATION_SCOPE_ROUTE, true), ApiErrors('organization_scope_required'));

/**
 * Permitted use of a route by a device: records of its own point of sale, which the path names as `posID`; a creation there,
 * which has its own rate; or data that every caller may read.
 */
export type DeviceUse = 'own_point_of_sale' | 'creation' | 'common';

/** Body fields that a device may send; for an object, its allowed fields. */
export type DeviceBody = Readonly<Record<string, true | readonly string[]>>;

/**
 * Allows devices on the route. Routes without this marker reject them.
 * @param body the only fields that a device may send
 */
export const ForDevices = (use: DeviceUse = 'own_point_of_sale', body?: DeviceBody) =>
  applyDecorators(SetMetadata(DEVICE_ROUTE, use), SetMetadata(DEVICE_BODY, body));

/** Sends the answer without the envelope, because an external specification fixes its format. */
export const RawAnswer = () => SetMetadata(RAW_ANSWER_ROUTE, true);

/** Marks a controller of pages that anyone with the link can open. Each handler counts its callers (`PublicCallers`). */
export const PublicPages = (path: string) =>
  applyDecorators(Controller(path), ApiExcludeController(), Public(), OwnRate(), RawAnswer());

/** Applies method decorators to the handler of a parameter, for use in parameter decorators. */
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

/** Caches a value for each route, by class and handler, because several classes can inherit a handler. */
export class RouteMemory<T> {
  private readonly byClass = new WeakMap<object, WeakMap<Handler, T>>();

  /** @param compute must return the same value for each call with the same route */
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
  /** Undefined if the route takes no file. */
  readonly file: FileRule | undefined;
}

/** Reads each route's markers once. Decorators do not change at runtime. */
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
      isUnlimited: isMarked(UNLIMITED_ROUTE),
      needsOrganization: isMarked(ORGANIZATION_SCOPE_ROUTE),
      answersRaw: isMarked(RAW_ANSWER_ROUTE),
      deviceUse: this.reflector.get<DeviceUse | undefined>(DEVICE_ROUTE, context.getHandler()),
      file: this.reflector.get<FileRule | undefined>(FILE_ROUTE, context.getHandler()),
    };
  }
}
