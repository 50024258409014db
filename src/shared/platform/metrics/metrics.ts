import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

const PREFIX = 'payment_collection_';

interface MetricOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  /** Each label must have few different values. */
  readonly labels?: readonly Label[];
}

/** Registered in constructors, so that all metrics are known before the start. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly unlabelled = new WeakSet<object>();

  counter<Label extends string>(options: MetricOptions<Label>): Counter<Label> {
    return new Counter(this.configuration(options));
  }

  gauge<Label extends string>(
    options: MetricOptions<Label>,
    collect?: (gauge: Gauge<Label>) => void | Promise<void>,
  ): Gauge<Label> {
    const gauge: Gauge<Label> = new Gauge({
      ...this.configuration(options),
      ...(collect && { collect: () => collect(gauge) }),
    });
    if (options.labels === undefined) this.unlabelled.add(gauge);
    this.clearGauge(gauge);
    return gauge;
  }

  /** Removes all values, so that a scrape omits the gauge. */
  clearGauge(gauge: Gauge<string>): void {
    gauge.reset();
    // Without this, `reset` would export a gauge without labels as 0, which was never measured.
    if (this.unlabelled.has(gauge)) gauge.remove();
  }

  histogram<Label extends string>(
    options: MetricOptions<Label>,
    buckets: readonly number[],
  ): Histogram<Label> {
    return new Histogram({ ...this.configuration(options), buckets: [...buckets] });
  }

  private configuration<Label extends string>({ name, help, labels = [] }: MetricOptions<Label>) {
    return { name: `${PREFIX}${name}`, help, labelNames: [...labels], registers: [this.registry] };
  }
}
