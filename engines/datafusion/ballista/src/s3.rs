use crate::Extensions;
use datafusion::{
    error::{DataFusionError, Result},
    execution::{
        object_store::{DefaultObjectStoreRegistry, ObjectStoreRegistry},
        runtime_env::RuntimeEnvBuilder,
    },
    object_store::{ObjectStore, aws::AmazonS3Builder},
};
use std::sync::Arc;
use url::Url;

impl Extensions {
    /// Tables at `s3://BUCKET/PATH`, with the keys, region and endpoint of the environment variables `AWS_…`.
    ///
    /// Each member of the cluster reads its own environment. This replaces the effect of
    /// [`with_runtime`](Self::with_runtime). Needs the feature `s3`.
    ///
    /// ```
    /// let extensions = sortid_ballista::Extensions::default().with_s3();
    /// ```
    #[must_use]
    pub fn with_s3(self) -> Self {
        let buckets = Arc::new(Buckets::default());
        self.with_runtime(move |_| {
            let buckets = Arc::clone(&buckets);
            RuntimeEnvBuilder::new().with_object_store_registry(buckets).build_arc()
        })
    }
}

/// Makes the store of a bucket at its first use.
#[derive(Debug, Default)]
struct Buckets(DefaultObjectStoreRegistry);

impl ObjectStoreRegistry for Buckets {
    fn register_store(&self, url: &Url, store: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        self.0.register_store(url, store)
    }

    fn deregister_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        self.0.deregister_store(url)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        let known = self.0.get_store(url);
        let (Err(_), "s3", Some(bucket)) = (&known, url.scheme(), url.host_str()) else { return known };
        let store = AmazonS3Builder::from_env().with_bucket_name(bucket).build();
        let store: Arc<dyn ObjectStore> = Arc::new(store.map_err(|error| {
            DataFusionError::Configuration(format!(
                "cannot use the bucket {bucket}: {error}. Set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION \
                 on the client, the scheduler and all executors"
            ))
        })?);
        self.0.register_store(url, Arc::clone(&store));
        Ok(store)
    }
}
