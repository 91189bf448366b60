package sqe.spark.identity;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** TLS in which both sides show a certificate, from texts as PEM. */
final class PemTls {
  private static final char[] NO_PASSWORD = new char[0]; // the store never leaves memory

  private PemTls() {}

  static SSLSocketFactory sockets(Link link) {
    try {
      KeyStore own = store();
      own.setKeyEntry("engine", privateKey(link.key()), NO_PASSWORD, certificates(link.certificate()));
      KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own, NO_PASSWORD);

      KeyStore trusted = store();
      for (Certificate authority : certificates(link.authority())) {
        trusted.setCertificateEntry("authority" + trusted.size(), authority);
      }
      TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);

      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context.getSocketFactory();
    } catch (GeneralSecurityException | IOException failure) {
      throw new ControlException("The certificates for the gateway's control endpoint cannot be used.", failure);
    }
  }

  private static KeyStore store() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static Certificate[] certificates(String pem) throws GeneralSecurityException {
    Collection<? extends Certificate> found =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
    return found.toArray(new Certificate[0]);
  }

  private static PrivateKey privateKey(String pem) throws GeneralSecurityException {
    byte[] bytes = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
    PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(bytes);
    try {
      return KeyFactory.getInstance("EC").generatePrivate(encoded);
    } catch (InvalidKeySpecException notElliptic) {
      return KeyFactory.getInstance("RSA").generatePrivate(encoded);
    }
  }
}
