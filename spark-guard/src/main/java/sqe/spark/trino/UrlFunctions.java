package sqe.spark.trino;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.apache.spark.unsafe.types.UTF8String;
import sqe.spark.bounds.Allocation;

/** Functions of URLs: NULL for what is none, and empty text for a part that is absent. */
public final class UrlFunctions {
  private UrlFunctions() {}

  private static URI uri(UTF8String url) {
    try {
      return new URI(url.toString());
    } catch (URISyntaxException invalid) {
      return null;
    }
  }

  private static UTF8String part(UTF8String url, Function<URI, String> of) {
    URI uri = uri(url);
    if (uri == null) {
      return null;
    }
    String part = of.apply(uri);
    return part == null ? UTF8String.EMPTY_UTF8 : UTF8String.fromString(part);
  }

  @Scalar("url_extract_protocol")
  public static UTF8String protocol(UTF8String url) {
    return part(url, URI::getScheme);
  }

  @Scalar("url_extract_host")
  public static UTF8String host(UTF8String url) {
    return part(url, URI::getHost);
  }

  @Scalar("url_extract_path")
  public static UTF8String path(UTF8String url) {
    return part(url, URI::getPath);
  }

  @Scalar("url_extract_query")
  public static UTF8String query(UTF8String url) {
    return part(url, URI::getQuery);
  }

  @Scalar("url_extract_fragment")
  public static UTF8String fragment(UTF8String url) {
    return part(url, URI::getFragment);
  }

  @Scalar(value = "url_extract_port", returns = "bigint")
  public static Long port(UTF8String url) {
    URI uri = uri(url);
    return uri == null || uri.getPort() < 0 ? null : Long.valueOf(uri.getPort());
  }

  @Scalar("url_extract_parameter")
  public static UTF8String parameter(UTF8String url, UTF8String name) {
    URI uri = uri(url);
    if (uri == null || uri.getRawQuery() == null) {
      return null;
    }
    for (String each : uri.getRawQuery().split("&", -1)) {
      String[] parts = each.split("=", 2);
      if (parts[0].equals(name.toString())) {
        return parts.length == 1 ? UTF8String.EMPTY_UTF8 : decoded(parts[1]);
      }
    }
    return null;
  }

  @Scalar("url_encode")
  public static UTF8String encode(UTF8String text) {
    Allocation.bytes("url_encode", text.numBytes() * 3L);
    return UTF8String.fromString(URLEncoder.encode(text.toString(), StandardCharsets.UTF_8));
  }

  @Scalar("url_decode")
  public static UTF8String decode(UTF8String text) {
    return decoded(text.toString());
  }

  private static UTF8String decoded(String text) {
    try {
      return UTF8String.fromString(URLDecoder.decode(text, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException invalid) {
      throw TrinoFailure.argument(invalid.getMessage());
    }
  }
}
