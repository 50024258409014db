import { Injectable } from '@nestjs/common';
import { DatabaseMetricsCollector } from '#shared/platform/metrics/database-metrics-collector.js';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { SubmitAuthorization } from '../../application/authorizations/submit-authorization.js';
import { NOT_SPONSORED_REASONS } from '../../domain/authorizations/sponsoring-rule.js';
import { SPONSORING_BY_NETWORK } from './persistence/sponsoring-statistics.js';

@Injectable()
export class SponsoringMetrics {
  constructor(
    metrics: Metrics,
    scrape: DatabaseMetricsCollector,
    catalogue: NetworkCatalogue,
    submit: SubmitAuthorization,
  ) {
    const sponsored = catalogue.networks().filter(({ sponsoring }) => sponsoring !== undefined);
    const refused = metrics.counter({
      name: 'sponsored_payments_refused_total',
      help: 'Payments by signature that this process refused to execute, by the setting or limit that was the reason.',
      labels: ['network', 'reason'],
    });
    for (const { network } of sponsored)
      for (const reason of NOT_SPONSORED_REASONS) refused.inc({ network, reason }, 0);
    submit.onNotSponsored((network, reason) => refused.inc({ network, reason }));
    metrics.gauge(
      {
        name: 'sponsored_limit_wei',
        help: 'Limit on the gas cost of payments by signature in 24 hours, in the smallest unit of the native coin.',
        labels: ['network'],
      },
      (gauge) => {
        for (const { network, sponsoring } of sponsored) gauge.set({ network }, Number(sponsoring!.perDay));
      },
    );
    const cost = metrics.gauge({
      name: 'sponsored_cost_wei',
      help: 'Gas cost of payments by signature in the last 24 hours, in the smallest unit of the native coin.',
      labels: ['network'],
    });
    scrape.addQuery({
      sql: `SELECT network, cost FROM (${SPONSORING_BY_NETWORK}) AS figures`,
      gauges: [cost],
      apply(rows) {
        for (const row of rows as readonly { network: string; cost: number }[])
          if (sponsored.some(({ network }) => network === row.network))
            cost.set({ network: row.network }, row.cost);
      },
    });
  }
}
