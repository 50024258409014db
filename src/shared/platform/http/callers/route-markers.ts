import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

export const PUBLIC_ROUTE = 'route:public';
export const ORGANIZATION_SCOPE_ROUTE = 'route:organization-scope';
export const OWN_RATE_ROUTE = 'route:own-rate';
export const RAW_ANSWER_ROUTE = 'route:raw-answer';
/** Fields of the body that a guard takes, and the handler never sees. */
export const GUARD_FIELDS = 'route:guard-fields';
export const PUBLIC_OPERATION = 'x-public-operation';

/** The route needs no credential. One without this marker is protected. */
export const Public = () =>
  applyDecorators(SetMetadata(PUBLIC_ROUTE, true), ApiExtension(PUBLIC_OPERATION, true));

/** Limited by a rate of its own, which its controller keeps, and not by what the credential may ask for in all. */
export const OwnRate = () => SetMetadata(OWN_RATE_ROUTE, true);

/** Only for credentials of a whole organization. */
export const OrganizationScope = () => SetMetadata(ORGANIZATION_SCOPE_ROUTE, true);

/** The answer is sent as it is, outside the envelope: a format that somebody else's specification fixes. */
export const RawAnswer = () => SetMetadata(RAW_ANSWER_ROUTE, true);
