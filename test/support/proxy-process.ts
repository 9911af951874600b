import { createProxy } from '../../src/proxy/create-proxy.ts';

// A proxy in a separate process that reports its memory use. Started with the URL of its upstream.

const proxy = await createProxy({ upstream: process.argv[2] ?? '' });
let peakBytes = 0;
const watch = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
}, 10);

process.on('message', () => {
  process.send?.({ peakBytes: Math.max(peakBytes, process.memoryUsage.rss()) });
  peakBytes = 0;
});
process.once('disconnect', () => {
  clearInterval(watch);
  void proxy.close();
});
process.send?.({ url: proxy.url });
