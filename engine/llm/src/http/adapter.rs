//! Sends requests: connection, authorization, redirects, time limits, and what an answer that is an error means.

use std::sync::Arc;

use async_trait::async_trait;
use attractor_models::ResolvedModel;
use jiff::SignedDuration;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use secrecy::ExposeSecret as _;
use serde_json::Value;
use tokio::time::Instant;

use super::connect::{http_client, is_loopback};
use super::headers::Headers;
use super::model_list::ModelListPage;
use super::options::{Endpoint, HttpOptions};
use super::protocol::{Call, HttpRequest, Protocol};
use super::read::{cancellable, deadline, excerpt, milliseconds, network_error, read_body};
use super::stream;
use crate::adapter::ProviderAdapter;
use crate::collector::StreamCollector;
use crate::error::{Error, ErrorKind};
use crate::event::EventStream;
use crate::redact::redact_error;
use crate::request::Request;
use crate::response::Response;

/// The longest answer that is read at once.
const MAX_BODY_BYTES: usize = 64 * 1024 * 1024;
/// The longest body of an error that is read.
const MAX_ERROR_BYTES: usize = 1024 * 1024;

/// Most pages of a list of models.
const MODEL_PAGES: usize = 20;

/// An adapter that speaks a protocol over HTTP.
pub(crate) struct HttpAdapter<P> {
    provider: String,
    protocol: P,
    endpoint: Endpoint,
    options: HttpOptions,
    client: reqwest::Client,
}

impl<P: Protocol> HttpAdapter<P> {
    pub(crate) fn new(
        provider: &str,
        protocol: P,
        endpoint: Endpoint,
        mut options: HttpOptions,
    ) -> Result<Self, Error> {
        let invalid =
            |message: String| Error::new(ErrorKind::Configuration, message).of(provider, "");
        let base_url = endpoint.base_url.trim_end_matches('/').to_owned();
        let url = url::Url::parse(&base_url).map_err(|error| {
            invalid(format!(
                "invalid base URL `{base_url}`: {error}; expected `https://HOST/PATH`"
            ))
        })?;
        let is_allowed = match url.scheme() {
            "https" => true,
            "http" => {
                is_loopback(&url) || options.allow_insecure_http || endpoint.allow_insecure_http
            }
            _ => false,
        };
        if !is_allowed {
            return Err(invalid(format!(
                "refused the base URL `{base_url}`: expected `https://`, or `http://` to this machine; set \
                 `allow_insecure_http` of the provider to send prompts and keys unencrypted"
            )));
        }
        if let Some(key) = &endpoint.api_key {
            options.redactor = options.redactor.and(key.expose_secret());
        }
        let builder = http_client(&url).connect_timeout(options.timeouts.connect);
        let client = builder
            .build()
            .map_err(|error| invalid(format!("cannot set up HTTPS: {error}")))?;
        let endpoint = Endpoint {
            base_url,
            ..endpoint
        };
        Ok(Self {
            provider: provider.to_owned(),
            protocol,
            endpoint,
            options,
            client,
        })
    }

    fn resolve(&self, request: &Request) -> Result<ResolvedModel, Error> {
        request.validate()?;
        let resolved = self
            .options
            .catalogue
            .resolve(&request.model, Some(&self.provider));
        // A provider the catalogue does not list: its models have no rules.
        Ok(resolved.unwrap_or_else(|| ResolvedModel {
            id: request.model.clone(),
            provider: self.provider.clone(),
            rules: Arc::new(attractor_models::Model::unspecified(
                &request.model,
                &self.provider,
            )),
            is_listed: false,
        }))
    }

    async fn send(
        &self,
        call: &Call<'_>,
        http: &HttpRequest,
    ) -> Result<(reqwest::Response, Headers), Error> {
        let url = format!("{}{}", self.endpoint.base_url, http.path);
        let body = serde_json::to_vec(&http.body).map_err(|error| {
            Error::new(
                ErrorKind::InvalidRequest,
                format!("cannot write the request as JSON: {error}"),
            )
        })?;
        let request = self
            .client
            .post(url)
            .headers(self.headers(http)?)
            .body(body);
        let limit = self.options.timeouts_of(call).request;
        let sent = deadline(limit, "the answer", async {
            request.send().await.map_err(network_error)
        });
        let response = cancellable(&call.request.cancel, sent).await?;
        let headers = Headers::new(response.headers().clone(), (self.options.clock)());
        Ok((response, headers))
    }

    fn headers(&self, http: &HttpRequest) -> Result<HeaderMap, Error> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(
            USER_AGENT,
            HeaderValue::from_static(concat!("attractor/", env!("CARGO_PKG_VERSION"))),
        );
        if let Some(key) = &self.endpoint.api_key {
            let (name, value) = self.protocol.authorization(key);
            let mut value = HeaderValue::from_str(&value).map_err(|_| {
                Error::new(
                    ErrorKind::Configuration,
                    "the API key contains characters that no HTTP header may contain",
                )
            })?;
            value.set_sensitive(true);
            headers.insert(HeaderName::from_static(name), value);
        }
        let own = http.headers.iter().map(|(name, value)| (*name, value));
        let extra = self
            .endpoint
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), value));
        for (name, value) in own.chain(extra) {
            let pair = HeaderName::from_bytes(name.as_bytes())
                .ok()
                .zip(HeaderValue::from_str(value).ok());
            let (name, value) = pair.ok_or_else(|| {
                Error::new(
                    ErrorKind::Configuration,
                    format!("invalid HTTP header `{name}`"),
                )
            })?;
            headers.insert(name, value);
        }
        Ok(headers)
    }

    /// An answer whose status is not a success, as an error.
    async fn failure(&self, response: reqwest::Response, headers: &Headers) -> Error {
        let status = response.status().as_u16();
        if (300..400).contains(&status) {
            let target = headers.get("location").unwrap_or("another place");
            let message =
                format!("the server redirects to `{target}`; set the base URL to where the API is");
            let mut error = Error::new(ErrorKind::Configuration, message);
            error.data_mut().status = Some(status);
            return error;
        }
        let read = read_body(response, MAX_ERROR_BYTES);
        let body = tokio::time::timeout(self.options.timeouts.idle, read).await;
        let body = body.ok().and_then(Result::ok).unwrap_or_default();
        self.error_of(status, headers, &body)
    }

    fn error_of(&self, status: u16, headers: &Headers, body: &[u8]) -> Error {
        let mut error = match serde_json::from_slice::<Value>(body) {
            Ok(body) => {
                let mut error = self.protocol.decode_error(status, &body);
                error.data_mut().raw = Some(body);
                error
            }
            Err(_) => Error::new(ErrorKind::of_status(status), self.excerpt(body)),
        };
        let data = error.data_mut();
        data.status = data.status.or(Some(status));
        data.retry_after = data.retry_after.or_else(|| headers.retry_after());
        data.should_retry = data.should_retry.or_else(|| headers.should_retry());
        let id = headers
            .get("request-id")
            .or_else(|| headers.get("x-request-id"));
        data.request_id = data.request_id.take().or_else(|| id.map(str::to_owned));
        if let Some(wait) = data.retry_after {
            let wait = SignedDuration::try_from(wait).unwrap_or(SignedDuration::MAX);
            data.available_at = headers.now().checked_add(wait).ok();
        }
        error
    }

    async fn list_models(&self) -> Result<Vec<String>, Error> {
        let mut ids = Vec::new();
        let mut next = None;
        for _ in 0..MODEL_PAGES {
            let page = ModelListPage::read(&self.list_page(next.as_ref()).await?);
            ids.extend(page.ids);
            next = page.next;
            if next.is_none() {
                break;
            }
        }
        Ok(ids)
    }

    /// A page of the list of models; the first one without a parameter.
    async fn list_page(&self, parameter: Option<&(&str, String)>) -> Result<Value, Error> {
        let (path, headers) = self.protocol.models();
        let http = HttpRequest {
            headers,
            ..HttpRequest::default()
        };
        let mut url = format!("{}{path}", self.endpoint.base_url);
        if let Some((name, value)) = parameter {
            let query: String = url::form_urlencoded::Serializer::new(String::new())
                .append_pair(name, value)
                .finish();
            url = format!("{url}?{query}");
        }
        let request = self.client.get(url).headers(self.headers(&http)?);
        let answer = deadline(self.options.timeouts.idle, "the answer", async {
            request.send().await.map_err(network_error)
        });
        let answer = answer.await?;
        let headers = Headers::new(answer.headers().clone(), (self.options.clock)());
        if !answer.status().is_success() {
            return Err(self.failure(answer, &headers).await);
        }
        let status = answer.status().as_u16();
        let reading = read_body(answer, MAX_BODY_BYTES);
        let body = deadline(self.options.timeouts.idle, "the answer", reading).await?;
        self.json(status, &headers, &body)
    }

    async fn complete_once(&self, call: &Call<'_>) -> Result<Response, Error> {
        let started = Instant::now();
        let http = self.protocol.encode(call)?;
        let (answer, headers) = self.send(call, &http).await?;
        if !answer.status().is_success() {
            return Err(self.failure(answer, &headers).await);
        }
        let status = answer.status().as_u16();
        let left = self
            .options
            .timeouts_of(call)
            .request
            .saturating_sub(started.elapsed());
        let reading = deadline(left, "the answer", read_body(answer, MAX_BODY_BYTES));
        let body = cancellable(&call.request.cancel, reading).await?;
        let value = self.json(status, &headers, &body)?;
        let mut response = self.protocol.decode(call, &value)?;
        response.warnings.splice(0..0, http.warnings);
        response.rate_limit = self.protocol.rate_limit(&headers);
        response.latency_ms = milliseconds(started);
        response.raw = Some(value);
        Ok(response)
    }

    /// The JSON of an answer with a status of success, which may hold an error all the same.
    fn json(&self, status: u16, headers: &Headers, body: &[u8]) -> Result<Value, Error> {
        let Ok(value) = serde_json::from_slice::<Value>(body) else {
            let kind = headers.get("content-type").unwrap_or("no content type");
            let message = format!("expected JSON, found {kind}: {}", self.excerpt(body));
            let mut error = Error::new(ErrorKind::InvalidResponse, message);
            error.data_mut().status = Some(status);
            return Err(error);
        };
        let first = value.get(0).unwrap_or(&value);
        if first.get("error").is_some_and(|error| !error.is_null()) && first.get("output").is_none()
        {
            return Err(self.error_of(status, headers, body));
        }
        Ok(value)
    }

    async fn stream_once(&self, call: &Call<'_>) -> Result<EventStream, Error> {
        let started = Instant::now();
        let http = self.protocol.encode(call)?;
        let (answer, headers) = self.send(call, &http).await?;
        if !answer.status().is_success() {
            return Err(self.failure(answer, &headers).await);
        }
        let content_type = headers
            .get("content-type")
            .unwrap_or_default()
            .to_ascii_lowercase();
        if ["json", "html"]
            .iter()
            .any(|kind| content_type.contains(kind))
        {
            let status = answer.status().as_u16();
            let reading = deadline(
                self.options.timeouts.idle,
                "the answer",
                read_body(answer, MAX_ERROR_BYTES),
            );
            let body = cancellable(&call.request.cancel, reading).await?;
            self.json(status, &headers, &body)?;
            let message = format!(
                "expected an event stream, found {content_type}: {}",
                self.excerpt(&body)
            );
            return Err(Error::new(ErrorKind::InvalidResponse, message));
        }
        let context = stream::Context {
            idle: self.options.timeouts_of(call).idle,
            cancel: call.request.cancel.clone(),
            provider: self.provider.clone(),
            model: call.model.id.clone(),
            warnings: http.warnings,
            rate_limit: self.protocol.rate_limit(&headers),
            redactor: self.options.redactor.clone(),
            now: (self.options.clock)(),
            started,
        };
        Ok(stream::events(answer, self.protocol.decoder(call), context))
    }

    fn without_refused(&self, request: &Request, error: Option<&Error>) -> Option<Request> {
        self.protocol.without_refused(request, error?)
    }

    /// The beginning of a body. A key that has been cut is not recognised, so it is masked before.
    fn excerpt(&self, body: &[u8]) -> String {
        excerpt(&self.options.redactor.bytes(body))
    }

    fn explain(&self, model: &str, error: Error) -> Error {
        redact_error(&self.options.redactor, error.of(&self.provider, model))
    }
}

#[async_trait]
impl<P: Protocol> ProviderAdapter for HttpAdapter<P> {
    fn provider_name(&self) -> &str {
        &self.provider
    }

    fn detect_model(&self, model: &str) -> bool {
        self.options
            .catalogue
            .provider_of(model)
            .is_some_and(|provider| provider.id == self.provider)
    }

    async fn models(&self) -> Result<Vec<String>, Error> {
        self.list_models()
            .await
            .map_err(|error| self.explain("", error))
    }

    async fn complete(&self, request: &Request) -> Result<Response, Error> {
        let model = self
            .resolve(request)
            .map_err(|error| self.explain(&request.model, error))?;
        let call = Call {
            request,
            model: &model,
            streaming: false,
        };
        if self.protocol.must_stream(&call) {
            return StreamCollector::collect(self.stream(request).await?).await;
        }
        let mut result = self.complete_once(&call).await;
        if let Some(request) = self.without_refused(request, result.as_ref().err()) {
            let call = Call {
                request: &request,
                ..call
            };
            result = self.complete_once(&call).await;
        }
        result.map_err(|error| self.explain(&model.id, error))
    }

    async fn stream(&self, request: &Request) -> Result<EventStream, Error> {
        let model = self
            .resolve(request)
            .map_err(|error| self.explain(&request.model, error))?;
        let call = Call {
            request,
            model: &model,
            streaming: true,
        };
        let mut result = self.stream_once(&call).await;
        if let Some(request) = self.without_refused(request, result.as_ref().err()) {
            let call = Call {
                request: &request,
                ..call
            };
            result = self.stream_once(&call).await;
        }
        result.map_err(|error| self.explain(&model.id, error))
    }
}
