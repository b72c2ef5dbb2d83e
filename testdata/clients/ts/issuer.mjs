// Is an OAuth authorization server on loopback, with one client that gets access tokens for
// itself. Prints its URL, then serves until its input ends.
//
// Usage: node issuer.mjs OPTIONS
// OPTIONS is JSON: {"alg": the signature of tokens, "resource": the server they are for, "scope"}.
import { createServer } from 'node:http';
import { generateKeyPairSync } from 'node:crypto';
import Provider from 'oidc-provider';

const options = JSON.parse(process.argv[2]);
const kinds = { RS256: ['rsa', { modulusLength: 2048 }], ES256: ['ec', { namedCurve: 'P-256' }], EdDSA: ['ed25519', {}] };
const [kind, parameters] = kinds[options.alg];
const key = { ...generateKeyPairSync(kind, parameters).privateKey.export({ format: 'jwk' }), kid: options.alg, use: 'sig' };
const keys = [key];
if (options.alg !== 'RS256') {
  keys.push({ ...generateKeyPairSync('rsa', kinds.RS256[1]).privateKey.export({ format: 'jwk' }), kid: 'other', use: 'sig' });
}

let provider;
const server = createServer((request, response) => provider.callback()(request, response));
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  provider = new Provider(issuer, {
    jwks: { keys },
    clients: [{
      client_id: 'interviewer', client_secret: 'a-secret-of-this-test', grant_types: ['client_credentials'],
      redirect_uris: [], response_types: [], scope: options.scope,
    }],
    scopes: options.scope.split(' '),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => options.resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: options.scope, audience: options.resource, accessTokenTTL: 300, accessTokenFormat: 'jwt',
          jwt: { sign: { alg: options.alg } },
        }),
      },
    },
  });
  console.log(issuer);
});
process.stdin.resume().on('end', () => process.exit(0));
