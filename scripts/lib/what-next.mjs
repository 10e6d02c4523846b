// What a person can try on a cluster that has just started.

/** Where the loader looks by itself. */
const USUAL_PORT = 9200;

/** The text shown once everything is ready. */
export function whatNext({ port, secret, dataDirectory, logDirectory }) {
  const origin = `http://127.0.0.1:${port}`;
  const write = secret ? ` -H "x-weir-cluster-secret: $WEIR_CLUSTER_SECRET"` : '';
  const json = `-H 'content-type: application/json'`;
  return `
Ready. Try, in another terminal:

  index      curl -XPUT ${origin}/books/_doc/1 ${json} -d '{"title":"On weirs and rivers"}'
  bulk       printf '{"index":{"_index":"books"}}\\n{"title":"Flood"}\\n' |
               curl -XPOST ${origin}/_bulk -H 'content-type: application/x-ndjson' --data-binary @-
  search     curl '${origin}/books/_search?pretty' ${json} -d '{"query":{"match":{"title":"rivers"}}}'
  view       curl '${origin}/_weir/view?pretty'
  settings   curl '${origin}/_cluster/settings?include_defaults&flat_settings&pretty'
  refuse     curl -XPUT ${origin}/_cluster/settings ${json}${write} -d '{"transient":{
               "weir.admission.heap.primary.soft":0,"weir.admission.heap.primary.hard":0,
               "weir.admission.max_shed_ratio":1}}'
             then index again: 429, with who refused and why; curl '${origin}/_weir/rejections?pretty' lists refusals
  undo       curl -XPUT ${origin}/_cluster/settings ${json}${write} -d '{"transient":{"weir.admission.*":null}}'
  overload   npm run load -- cities --index cities --concurrency 64${port === USUAL_PORT ? '' : ` --url ${origin}`}

Data is in ${dataDirectory}, logs are in ${logDirectory}. Ctrl-C stops everything in order.
`;
}
