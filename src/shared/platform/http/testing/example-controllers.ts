import { Body, Controller, ForbiddenException, Get, Head, Param, Post, Put, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { DomainError, RateLimited, notFound, type ErrorKind } from '#shared/kernel/domain-error.js';
import { currentRequestId } from '../../logging/logger.js';
import { DocumentedOperation } from '../openapi/operation.js';
import { IsDecimalAmount, IsHttpsUrl, IsOneOf, IsText } from '../validation/field-rules.js';
import { IsNestedObject, IsNestedList } from '../validation/nested-fields.js';
import { PageQuery, presentListPage, requiredPageQuery, toPageRequest } from '../answers/pagination.dto.js';
import { CurrentPrincipal } from '../callers/principal.js';
import { RequireOrganizationScope, Public, RawAnswer } from '../callers/route-markers.js';
import { UuidParam } from '../validation/uuid-param.js';

export class ItemBody {
  @IsDecimalAmount()
  amount!: string;

  @IsText({ max: 20, optional: true })
  description?: string;
}

export class OrderBody {
  @IsDecimalAmount()
  total!: string;

  @IsNestedList(() => ItemBody, { maxItems: 3, optional: true })
  items?: ItemBody[];
}

export class ThingBody {
  @IsText({ max: 10, example: 'Shop' })
  name!: string;

  @IsDecimalAmount()
  amount!: string;

  @IsHttpsUrl({ optional: true })
  return_url?: string;

  @IsOneOf(['online', 'physical'], { optional: true })
  type?: string;

  @IsNestedObject(() => OrderBody, { optional: true })
  order?: OrderBody;
}

export class ThingDto {
  @ApiProperty()
  name!: string;

  @ApiProperty({ enum: ['small', 'large'], enumName: 'ThingSize', description: 'Of the box.' })
  size!: string;

  @ApiProperty({ type: 'integer' })
  expires_at!: number;
}

export class FilterQuery extends PageQuery {
  @IsText({ max: 10, optional: true })
  reference_id?: string;
}

export class StrictPageQuery extends requiredPageQuery(5) {}

const failures = new Map<string, () => unknown>([
  ['unknown', () => new Error('SELECT secret FROM internals')],
  ['thrown-string', () => 'oops'],
  ['database-gone', () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ['database-shutdown', () => Object.assign(new Error('terminating'), { code: '57P01' })],
  ['database-unique', () => Object.assign(new Error('duplicate key'), { code: '23505' })],
  ['pool-timeout', () => new Error('timeout exceeded when trying to connect')],
  ['upstream-404', () => Object.assign(new Error('upstream'), { status: 404 })],
  ['too-often', () => new RateLimited(17)],
  ['too-often-in-an-hour', () => new RateLimited(1_700, { name: 'hourly', quota: 5, seconds: 3_600 })],
  ['forbidden', () => new ForbiddenException('internal words')],
]);

@Controller('v1/things')
export class ThingsController {
  @Get()
  @DocumentedOperation('listThings', 'List things', { page: [ThingDto, 'The things.'] })
  list(@Query() query: FilterQuery): object {
    return presentListPage({ items: [], total: 7 }, toPageRequest(query), (item) => item);
  }

  @Get('strict')
  strict(@Query() query: StrictPageQuery): object {
    return toPageRequest(query);
  }

  @Get('raw')
  @Public()
  @RawAnswer()
  raw(): object {
    return { issuer: {} };
  }

  @Get('request-id')
  requestId(): object {
    return { request_id: currentRequestId() };
  }

  @Get('principal')
  principal(@CurrentPrincipal() principal: unknown): unknown {
    return principal;
  }

  @Get(':thingID')
  @RequireOrganizationScope()
  one(@Param('thingID', new UuidParam('thing')) id: string): object {
    if (id.endsWith('0')) throw notFound('thing');
    return { id };
  }

  @Post()
  @DocumentedOperation('createThing', 'Create a thing', {
    answer: [ThingDto, 'The thing.', { name: 'Shop' }],
    errors: ['not_found', 'account_not_allowed'],
  })
  create(@Body() body: ThingBody): object {
    return { ...body, request_id: currentRequestId() };
  }

  @Put()
  replace(@Body() body: ThingBody): object {
    return body;
  }

  @Post('empty')
  empty(): void {}
}

@Controller(['page/form', 'v1/others'])
export class FormController {
  @Post()
  post(@Body() body: ThingBody): object {
    return body;
  }
}

@Controller('v1/failures')
export class FailuresController {
  @Get(':name')
  fail(@Param('name') name: string): never {
    throw failures.get(name)?.();
  }

  @Get('kinds/:kind')
  failInKind(@Param('kind') kind: ErrorKind): never {
    throw new DomainError(kind, 'some_code', 'Some words.', [{ field: 'a', rule: 'b', message: 'c' }]);
  }

  @Head('words/:word')
  head(@Param('word') word: string): string {
    return word;
  }
}

@Controller('public')
@Public()
export class OpenController {
  @Get('things/raw')
  @RawAnswer()
  raw(): object {
    return {};
  }

  @Post('things/raw')
  post(): void {}

  @Get('failure')
  fail(): never {
    throw failures.get('unknown')!();
  }
}
