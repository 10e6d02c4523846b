// Whether the service in this container is ready: exit code 0 or 1, as HEALTHCHECK wants it.
const url = `http://127.0.0.1:${process.env.WEIR_HTTP_PORT}/readyz`;
try {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
