/**
 * The configuration of nginx: one key, one shard.
 *
 * @param {{ folder: string, port: number, shards: readonly string[] }} options `folder` holds what nginx writes, `shards`
 *   are addresses such as `127.0.0.1:41001`. Their order decides which key belongs to which shard.
 */
export function nginxConfig({ folder, port, shards }) {
  return `
daemon off;
worker_processes auto;
pid ${folder}/nginx.pid;
events { worker_connections 8192; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;

  # The key, from either header.
  map $http_authorization $bearer_key {
    default "";
    "~*^bearer +(?<given>[^ ]+) *$" $given;
  }
  map $http_x_api_key $key {
    default $http_x_api_key;
    "" $bearer_key;
  }

  # max_fails=0 and proxy_next_upstream off: a key never moves to another shard. There it would silently find a new sandbox.
  upstream shard_of_key {
    hash $key consistent;
    ${shards.map((address) => `server ${address} max_fails=0;`).join('\n    ')}
    keepalive 64;
    # nginx lets go of an idle connection first, so that no request meets one that the mock just closed.
    keepalive_timeout 30s;
    keepalive_requests 1000000;
  }

  server {
    listen 127.0.0.1:${port} backlog=4096;
    keepalive_requests 1000000;
    client_max_body_size 0;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_buffering off;
    proxy_request_buffering off;
    proxy_next_upstream off;
    proxy_read_timeout 1h;
    # Where a mock breaks a connection off, or is gone, the client sees just that, and no page of nginx.
    error_page 502 504 = @lost;
    location @lost { return 444; }

    # Which mocks there are.
    location = /shards { default_type text/plain; return 200 '${shards.join(' ')}'; }
    location / { proxy_pass http://shard_of_key; }
    ${shards.map((address, index) => `location /shards/${index + 1}/ { proxy_pass http://${address}/; }`).join('\n    ')}
  }
}
`;
}
