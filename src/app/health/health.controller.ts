import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import type { Response } from 'express';
import { Database } from '#shared/platform/database/database.js';
import { namedSchema } from '#shared/platform/http/openapi/schema-names.js';
import { Public, RawAnswer, NoRateLimit } from '#shared/platform/http/callers/route-markers.js';
import type { ReadinessAnswer } from './evaluate-readiness.js';
import { Readiness } from './readiness.js';

const HEALTH_SCHEMA = namedSchema('Health', {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', description: 'Health of the process.', enum: ['ok'] } },
});

const HTTP_STATUS: Readonly<Record<ReadinessAnswer['status'], number>> = {
  ready: 200,
  degraded: 200,
  not_ready: 503,
};

@ApiTags('Operation')
@Controller('health')
export class HealthController {
  private asking: Promise<unknown> | undefined;

  constructor(
    private readonly database: Database,
    private readonly readiness: Readiness,
  ) {}

  @Get()
  @Public()
  @NoRateLimit()
  @RawAnswer()
  @DocumentedOperation('health', 'Check health', {
    description:
      'Returns 200 if this process can reach its database. The response is not wrapped in `status` and `data`.',
  })
  @ApiOkResponse({
    description: 'The process can reach its database.',
    content: { 'application/json': { schema: HEALTH_SCHEMA, example: { status: 'ok' } } },
  })
  async health(): Promise<{ status: 'ok' }> {
    // The endpoint is public, so concurrent requests share one query.
    this.asking ??= this.database.query('SELECT 1').finally(() => (this.asking = undefined));
    await this.asking;
    return { status: 'ok' };
  }

  @Get('live')
  @Public()
  @NoRateLimit()
  @RawAnswer()
  @ApiExcludeEndpoint()
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @Public()
  @NoRateLimit()
  @RawAnswer()
  @ApiExcludeEndpoint()
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadinessAnswer> {
    const answer = await this.readiness.check();
    response.status(HTTP_STATUS[answer.status]);
    return answer;
  }
}
