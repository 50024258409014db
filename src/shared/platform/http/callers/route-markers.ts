import { SetMetadata, applyDecorators, type ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import { FILE_ROUTE, type FileRule } from '../input/uploaded-file.js';

const PUBLIC_ROUTE = 'route:public';
export const ORGANIZATION_SCOPE_ROUTE = 'route:organization-scope';
const OWN_RATE_ROUTE = 'route:own-rate';
const UNLIMITED_ROUTE = 'route:unlimited';
const DEVICE_ROUTE = 'route:device';
export const DEVICE_BODY = 'route:device-body';
const RAW_ANSWER_ROUTE = 'route:raw-answer';
/** Fields of the body that a guard takes, and the handler never sees. */
export const GUARD_FIELDS = 'route:guard-fields';
export const PUBLIC_OPERATION = 'x-public-operation';

/** The route needs no credential. One without this marker is protected. */
export const Public = () =>
  applyDecorators(SetMetadata(PUBLIC_ROUTE, true), ApiExtension(PUBLIC_OPERATION, true));

/** Limited by a rate of its own, which its controller keeps, and not by the common one of its credential or address. */
export const OwnRate = () => SetMetadata(OWN_RATE_ROUTE, true);

/** A public route without any limit. The operator's probes must be answered whoever else sends requests. */
export const Unlimited = () => SetMetadata(UNLIMITED_ROUTE, true);

/** Only for credentials of a whole organization. */
export const OrganizationScope = () => SetMetadata(ORGANIZATION_SCOPE_ROUTE, true);

/**
 * A device may ask a route for anything of its own point of sale, which the path names as `posID`; for a creation there, which
 * has a rate of its own; or for what every caller may read.
 */
export type DeviceUse = 'own_point_of_sale' | 'creation' | 'common';

/** The fields of a body that a device may send: those of an object by their names. */
export type DeviceBody = Readonly<Record<string, true | readonly string[]>>;

/** Open to devices too. A route without this marker is refused to them. @param body fields beyond it are unknown to a device */
export const ForDevices = (use: DeviceUse = 'own_point_of_sale', body?: DeviceBody) =>
  applyDecorators(SetMetadata(DEVICE_ROUTE, use), SetMetadata(DEVICE_BODY, body));

/** The answer is sent as it is, outside the envelope: a format that somebody else's specification fixes. */
export const RawAnswer = () => SetMetadata(RAW_ANSWER_ROUTE, true);

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
  readonly isUnlimited: boolean;
  readonly wantsOrganization: boolean;
  readonly answersRaw: boolean;
  /** Undefined where the route is refused to devices. */
  readonly deviceUse: DeviceUse | undefined;
  /** Undefined where the route takes no file. */
  readonly file: FileRule | undefined;
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
      isUnlimited: isMarked(UNLIMITED_ROUTE),
      wantsOrganization: isMarked(ORGANIZATION_SCOPE_ROUTE),
      answersRaw: isMarked(RAW_ANSWER_ROUTE),
      deviceUse: this.reflector.get<DeviceUse | undefined>(DEVICE_ROUTE, context.getHandler()),
      file: this.reflector.get<FileRule | undefined>(FILE_ROUTE, context.getHandler()),
    };
  }
}
